// expect: violation poll
let cursor = 0;
let polls = 0;
const answers = [];

function fetchFrom(position) {
  return new Promise((resolve) => {
    answers.push(() => resolve(position + 10));
    if (answers.length === 2) for (const answer of answers) answer();
  });
}

async function poll() {
  if (++polls === 2) clearInterval(timer);
  const next = await fetchFrom(cursor); // (1)
  cursor = next; // (2)
}

const timer = setInterval(poll, 1);
process.on('exit', () => console.log(polls, cursor));
