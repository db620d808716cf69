/** Two of everything that is to be done, which come to the same point before one of them goes on. */
export function pairs() {
  let arrived = 0;
  let open;
  const next = () =>
    new Promise((resolve) => {
      open = resolve;
    });
  let opened = next();
  return {
    met() {
      const everybody = opened;
      if (++arrived % 2 === 0) {
        open();
        opened = next();
      }
      return everybody;
    },
    both: (run) => Promise.all([run(1), run(2)]),
  };
}
