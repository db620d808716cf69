// expect: ok
// options: --instrument !**/support/entities.mjs
// prints: 2
// Nothing that was read is in what is written: the last one wins, as it was told to.
import { countTitles, findPost, insertPost } from '../support/entities.mjs';

async function rename(title) {
  const post = await findPost(1);
  if (!post) return;
  post.title = title;
  await post.save();
}

async function publish(title) {
  await countTitles('a');
  return insertPost(title);
}

await Promise.all([rename('b'), rename('c')]);
await Promise.all([publish('d'), publish('d')]);
console.log(await countTitles('d'));
