// expect: violation publish
const post = { state: 'draft', version: 1 };

async function check(rule) {
  await null;
  return rule.length > 0;
}

async function publish(title) {
  const { version } = post; // (1)
  await Promise.all(['a', 'b'].map((rule) => check(rule)));
  post.version = version + 1; // (2)
  post.title = title;
}

await Promise.all([publish('one'), publish('two')]);
console.log(post);
