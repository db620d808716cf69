// expect: ok
let cursor = 0;
let busy = false;
let ticks = 0;
let answer;

function fetchFrom(position) {
  return new Promise((resolve) => {
    answer = () => resolve(position + 10);
  });
}

async function poll() {
  if (busy) return;
  busy = true;
  try {
    const next = await fetchFrom(cursor);
    cursor = next;
  } finally {
    busy = false;
  }
}

const timer = setInterval(() => {
  ticks++;
  poll();
  if (ticks % 2 === 0) answer();
  if (ticks === 6) clearInterval(timer);
}, 1);
process.on('exit', () => console.log(ticks, cursor));
