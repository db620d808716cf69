import Database from 'better-sqlite3';

const db = new Database(':memory:');
db.exec('CREATE TABLE jobs (id INTEGER PRIMARY KEY, title TEXT, tries INTEGER)');

async function find(title) {
  db.prepare("SELECT id /* for ann */ FROM jobs WHERE title GLOB 'it''s secret*' OR tries > 7351").all();
  await null;
  // The same for another title, so that it counts once.
  for (const each of [title, 'parcel']) db.prepare('SELECT id FROM jobs WHERE title GLOB ?').all(each);
  db.prepare('SELECT id FROM jobs WHERE title = ?').all(title);
  try {
    db.prepare('SELECT id FROM jobs WHERE title REGEXP ?').all(title);
  } catch {
    // SQLite has no such function unless somebody defines one.
  }
}

await find('letter');
