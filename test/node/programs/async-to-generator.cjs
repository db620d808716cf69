// expect: violation increment
function step(gen, resolve, reject, next, throws, key, arg) {
  let info;
  try {
    info = gen[key](arg);
  } catch (error) {
    reject(error);
    return;
  }
  if (info.done) resolve(info.value);
  else Promise.resolve(info.value).then(next, throws);
}
function _asyncToGenerator(fn) {
  return function (...args) {
    return new Promise((resolve, reject) => {
      const gen = fn.apply(this, args);
      const next = (value) => step(gen, resolve, reject, next, throws, 'next', value);
      const throws = (error) => step(gen, resolve, reject, next, throws, 'throw', error);
      next(undefined);
    });
  };
}

const counts = { hits: 0 };

function increment(...values) {
  return _increment.apply(this, values);
}
// biome-ignore lint/suspicious/noFunctionAssign: Babel writes it so.
function _increment(...values) {
  _increment = _asyncToGenerator(function* () {
    const hits = counts.hits; // (1)
    yield null;
    counts.hits = hits + 1; // (2)
  });
  return _increment.apply(this, values);
}

Promise.all([increment(), increment()]).then(() => console.log(counts));
