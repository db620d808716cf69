// expect: ok
// prints: [ '23505', 'new' ]
import { database, meeting } from '../support/database.mjs';

const pool = await database('caught', 'CREATE TABLE users (id serial PRIMARY KEY, email text UNIQUE)');
const met = meeting(2);

async function register(email) {
  const { rows } = await pool.query('SELECT id FROM users WHERE email = $1', [email]);
  await met();
  if (rows.length > 0) return 'there';
  try {
    await pool.query('INSERT INTO users (email) VALUES ($1)', [email]);
    return 'new';
  } catch (error) {
    return error.code;
  }
}

console.log((await Promise.all([register('a@example.com'), register('a@example.com')])).sort());
await pool.end();
