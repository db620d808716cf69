// expect: ok
// prints: [ 'new', 'there', 'there' ]
import { database, meeting } from '../support/database.mjs';

const pool = await database('conflict', 'CREATE TABLE users (id serial PRIMARY KEY, email text UNIQUE)');
const met = meeting(3);

async function register(email) {
  const { rows } = await pool.query('SELECT id FROM users WHERE email = $1', [email]);
  await met();
  if (rows.length > 0) return 'there';
  const made = await pool.query(
    'INSERT INTO users (email) VALUES ($1) ON CONFLICT (email) DO NOTHING RETURNING id',
    [email],
  );
  return made.rows.length === 1 ? 'new' : 'there';
}

console.log((await Promise.all([1, 2, 3].map(() => register('a@example.com')))).sort());
await pool.end();
