// expect: ok
const history = [];
const document = { lines: [] };

async function validate(text) {
  await null;
  return text.trim();
}

async function insert(text) {
  const line = await validate(text);
  history.push({ kind: 'insert', at: document.lines.length });
  document.lines.push(line);
}

function undo() {
  const last = history.pop();
  if (last) document.lines.splice(last.at, 1);
}

await Promise.all([insert('a '), insert(' b')]);
undo();
console.log(document, history);
