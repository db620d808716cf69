// expect: ok
// because: shared-result
// An async function that TypeScript has compiled for old engines hands on the promise of a refresh that others wait for, too.
var __awaiter = function (thisArg, _arguments, P, generator) {
  return new Promise(function (resolve, reject) {
    function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
    function step(result) { result.done ? resolve(result.value) : Promise.resolve(result.value).then(fulfilled, reject); }
    step((generator = generator.apply(thisArg, _arguments || [])).next());
  });
};
var __generator = function (thisArg, body) {
  var state = { label: 0, sent: function () { return state.value; }, trys: [] };
  return {
    next: function (value) {
      state.value = value;
      var op = body.call(thisArg, state);
      if (op[0] === 4) state.label++;
      return { value: op[1], done: op[0] === 2 };
    },
  };
};

var credentials = { access: 'old', isExpired: true };
var refreshing = null;
var load = function () { return new Promise(function (resolve) { setImmediate(function () { resolve({ access: 'new', isExpired: false }); }); }); };
function refresh() {
  return __awaiter(this, void 0, void 0, function () {
    return __generator(this, function (_a) {
      if (refreshing === null) refreshing = load();
      return [2 /*return*/, refreshing];
    });
  });
}
function token() {
  return __awaiter(this, void 0, void 0, function () {
    var fresh;
    return __generator(this, function (_a) {
      switch (_a.label) {
        case 0:
          if (!credentials.isExpired) return [2 /*return*/, credentials.access];
          return [4 /*yield*/, refresh()];
        case 1:
          fresh = _a.sent();
          credentials = fresh;
          return [2 /*return*/, fresh.access];
      }
    });
  });
}
Promise.all([token(), token()]).then(function (tokens) { console.log(tokens); });
