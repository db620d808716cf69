// expect: ok
// because: shared-result
// An async function that TypeScript has compiled for old engines hands on the promise of a refresh that others wait for, too.
const __awaiter = (self, values, _P, generator) =>
  new Promise((resolve, reject) => {
    const running = generator.apply(self, values ?? []);
    const step = ({ value, done }) => {
      if (done) resolve(value);
      else Promise.resolve(value).then((given) => step(running.next(given)), reject);
    };
    step(running.next());
  });
const __generator = (self, body) => {
  const state = { label: 0, trys: [], sent: () => state.given };
  return {
    next(given) {
      state.given = given;
      const [code, value] = body.call(self, state);
      state.label++;
      return { value, done: code === 2 };
    },
  };
};

const load = () =>
  new Promise((resolve) => {
    setImmediate(() => resolve({ access: 'new', isExpired: false }));
  });

class Client {
  credentials = { access: 'old', isExpired: true };
  refreshing = null;

  refresh() {
    return __awaiter(this, void 0, void 0, function () {
      return __generator(this, function (_a) {
        if (this.refreshing === null) this.refreshing = load();
        return [2, this.refreshing];
      });
    });
  }

  token() {
    return __awaiter(this, void 0, void 0, function () {
      let fresh;
      return __generator(this, function (_a) {
        switch (_a.label) {
          case 0:
            if (!this.credentials.isExpired) return [2, this.credentials.access];
            return [4, this.refresh()];
          default:
            fresh = _a.sent();
            this.credentials = fresh;
            return [2, fresh.access];
        }
      });
    });
  }
}

const client = new Client();
Promise.all([client.token(), client.token()]).then((tokens) => console.log(tokens));
