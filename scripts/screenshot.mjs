// Takes the picture of a report that the README shows: runs the bank, opens its HTML report in Chromium, and keeps what is seen.
// Needs a build and Chromium (scripts/install.sh chromium).
//
//   node scripts/screenshot.mjs [docs/report.png]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(root, 'docs/report.png'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'screenshot-'));
const executablePath =
  process.env.CHROMIUM_PATH ??
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
    .find((file) => fs.existsSync(file));

try {
  const page = path.join(scratch, 'report.html');
  spawnSync(
    process.execPath,
    ['dist/cli/main.js', 'run', '--quiet', '--reporter', `html=${page}`, 'examples/bank/broken.ts'],
    {
      cwd: root,
      stdio: 'ignore',
    },
  );
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const tab = await browser.newPage({ viewport: { width: 1180, height: 1250 }, colorScheme: 'light' });
  await tab.goto(`${pathToFileURL(page).href}#violation-1`);
  await tab.locator('.detail').first().waitFor();
  await tab.screenshot({ path: target });
  await browser.close();
  console.log(`${path.relative(root, target)}: ${fs.statSync(target).size} bytes`);
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
