import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Client {
  connect(): Promise<void>;
  query(text: string): Promise<{ rows: Record<string, unknown>[] } | { rows: Record<string, unknown>[] }[]>;
  end(): Promise<void>;
}

/** Runs statements in a database, by what the project has for that; the one value that the last of them gives. */
export async function runStatements(url: string, statements: string): Promise<string> {
  const Driver = driverOfProject();
  return Driver === null ? byPsql(url, statements) : byDriver(new Driver(url), statements);
}

function driverOfProject(): (new (url: string) => Client) | null {
  try {
    const require = createRequire(join(process.cwd(), 'package.json'));
    return (require('pg') as { Client: new (url: string) => Client }).Client;
  } catch {
    return null;
  }
}

async function byDriver(client: Client, statements: string): Promise<string> {
  await client.connect();
  try {
    const results = [await client.query(statements)].flat();
    return String(Object.values(results.at(-1)?.rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

function byPsql(url: string, statements: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('psql', ['-X', '-q', '-t', '-A', '-v', 'ON_ERROR_STOP=1', url], {
      stdio: 'pipe',
      env: { ...process.env, PGOPTIONS: '-c client_min_messages=warning' },
    });
    let output = '';
    let problems = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      problems += text;
    });
    child.on('error', () => reject(new Error('neither the package pg nor psql was found')));
    child.on('close', (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(problems.trim()))));
    child.stdin.on('error', () => undefined);
    child.stdin.end(statements);
  });
}
