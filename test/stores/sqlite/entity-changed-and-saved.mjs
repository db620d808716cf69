// expect: violation like
// expect: violation publish
// expect: violation dislike
// options: --instrument !**/support/entities.mjs
// prints: 0 2
// What was put into an object is what its `save` writes; a function that returns what a library goes on with lasts until then.
import { countTitles, findPost, insertPost, likesOf, setLikes } from '../support/entities.mjs';

async function like() {
  const post = await findPost(1); // (1)
  post.likes += 1;
  await post.save(); // (2)
}

async function publish(title) {
  if ((await countTitles(title)) > 0) return null;
  return insertPost(title);
}

async function dislike() {
  const likes = await likesOf(1); // (1)
  await setLikes(1, likes - 1); // (2)
}

await Promise.all([like(), like()]);
await Promise.all([dislike(), dislike()]);
await Promise.all([publish('b'), publish('b')]);
console.log((await findPost(1)).likes, await countTitles('b'));
