// expect: violation increment
const shared = new ArrayBuffer(8);
const bytes = new Uint8Array(shared);

async function increment() {
  const value = bytes[3]; // (1)
  await null;
  bytes[3] = value + 1; // (2)
}

await Promise.all([increment(), increment()]);
console.log(bytes);
