// expect: violation redeem
// prints: [ 'redeemed', 'redeemed' ]
import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE tokens (id INTEGER PRIMARY KEY, name TEXT, uses INTEGER)');
db.exec("INSERT INTO tokens VALUES (1, 'welcome', 0)");
// As query builders write it: the rows of the part are the rows of the whole.
const find = db.prepare(
  'SELECT part.* FROM (SELECT * FROM tokens WHERE name = ? ORDER BY id DESC LIMIT ?) AS part',
);
const use = db.prepare('UPDATE tokens SET uses = ? WHERE id = ?');

async function redeem(name) {
  const [token] = find.all(name, 1);
  if (token.uses > 0) return 'used';
  await null;
  use.run(token.uses + 1, token.id);
  return 'redeemed';
}

console.log(await Promise.all([redeem('welcome'), redeem('welcome')]));
