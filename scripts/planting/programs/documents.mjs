// Documents that several people edit, and that are published.
import { KeyedMutex } from '../locks.mjs';
import { pause, traffic } from '../traffic.mjs';

const documents = new Map([
  ['plan', { text: 'plan', version: 1, published: 0 }],
  ['todo', { text: 'todo', version: 1, published: 0 }],
]);
const mutex = new KeyedMutex();

async function apply(id, edit) {
  const document = documents.get(id);
  const { text, version } = document;
  const spelled = await checkSpelling(`${text} ${edit}`);
  document.text = spelled;
  document.version = version + 1;
}

async function checkSpelling(text) {
  await pause(2);
  return text.trim();
}

async function render(id) {
  const document = documents.get(id);
  const { version } = document;
  await pause(2);
  document.published = version;
  return `${document.text} (${document.version})`;
}

async function edit(id, words) {
  await mutex.run(id, () => apply(id, words)); // lock: edit -> await apply(id, words);
}

async function publish(id) {
  return mutex.run(id, () => render(id)); // lock: publish -> return render(id);
}

await traffic(1200, [
  () => edit('plan', 'first'),
  () => edit('plan', 'second'),
  () => edit('plan', 'third'),
  () => edit('todo', 'bread'),
  () => edit('todo', 'milk'),
  () => publish('plan'),
  () => publish('plan'),
  () => publish('todo'),
]);
console.log(
  [...documents.values()].map(({ version, text }) => `${version}: ${text.split(' ').length} words`),
);
