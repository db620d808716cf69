// Rooms of a chat; every room has a chain of promises. Written with then, not with await.
const later = (ms, value) => new Promise((resolve) => setTimeout(() => resolve(value), ms));

const rooms = new Map();

function roomOf(name) {
  if (!rooms.has(name)) rooms.set(name, { members: new Set(), history: [], chain: Promise.resolve() });
  return rooms.get(name);
}

function inTurn(room, work) {
  const result = room.chain.then(work);
  room.chain = result.catch(() => {});
  return result;
}

function appendMessage(room, author, text) {
  const { length } = room.history;
  return later(3).then(() => {
    room.history[length] = { author, text, number: length + 1 };
    return length + 1;
  });
}

function removeMember(room, member) {
  return later(2, [...room.members]).then((members) => {
    room.members = new Set(members.filter((each) => each !== member));
    return appendMessage(room, 'system', `${member} left`);
  });
}

function say(name, author, text) {
  const room = roomOf(name);
  room.members.add(author);
  return inTurn(room, () => appendMessage(room, author, text)); // lock: say -> return appendMessage(room, author, text);
}

function leave(name, member) {
  const room = roomOf(name);
  return inTurn(room, () => removeMember(room, member)); // lock: leave -> return removeMember(room, member);
}

const script = [
  [10, () => say('tea', 'ann', 'hello')],
  [45, () => say('tea', 'ben', 'hi')],
  [90, () => say('tea', 'cat', 'hey')],
  [130, () => leave('tea', 'ann')],
  [170, () => say('tea', 'dan', 'who?')],
  [220, () => leave('tea', 'ben')],
  [260, () => say('tea', 'cat', 'bye')],
];
Promise.all(script.map(([at, act]) => later(at).then(act))).then(() => console.log('rooms', rooms.size));
