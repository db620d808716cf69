// expect: violation advance
const state = { cursor: { line: 0, column: 0 } };

async function advance(by) {
  const {
    cursor: { line, column = 0 },
  } = state; // (1)
  await null;
  [state.cursor.line, state.cursor.column] = [line + by, column]; // (2)
}

await Promise.all([advance(1), advance(2)]);
console.log(state);
