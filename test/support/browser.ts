import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { install, PATIENCE } from './install.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that the tests use: `CHROMIUM_PATH`, or the first that is on `PATH`. */
function chromiumPath(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installedChromium(): string {
  const there = chromiumPath();
  if (there !== null) return there;
  install('chromium');
  return chromiumPath()!;
}

/** A page of the tests, with what its browser complained about. */
export interface TestPage {
  page: Page;
  /** Errors of the program, messages on the console, and what the content policy refused. */
  problems: string[];
}

/** Starting one takes a second or two: it stays for all files that this process runs the tests of, and ends with it. */
let launched: Promise<Browser> | null = null;

/** A browser for the tests of a file; its pages are those of files on disk. */
export function browserForTests(): {
  open(path: string, options?: BrowserContextOptions & { hash?: string }): Promise<TestPage>;
} {
  let browser: Browser;
  /** The page of the last test, and the options it was opened with. */
  let last: (TestPage & { options: string }) | null = null;
  beforeAll(async () => {
    launched ??= chromium.launch({ executablePath: installedChromium(), args: FLAGS });
    browser = await launched;
  }, PATIENCE);
  afterAll(async () => {
    await last?.page.context().close();
  });
  return {
    async open(path, { hash = '', ...options } = {}) {
      const wanted = JSON.stringify(options);
      if (last?.options !== wanted) {
        await last?.page.context().close();
        last = { ...(await newPage(browser, options)), options: wanted };
      }
      const { page, problems } = last;
      // Leaving first, as only the part of an address behind # may differ, and what was chosen must not stay.
      await page.goto('about:blank');
      problems.length = 0;
      await page.goto(`${pathToFileURL(path)}${hash}`);
      await page.locator('main').waitFor();
      return { page, problems };
    },
  };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<TestPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|data|blob|about):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective))",
  );
  return { page, problems };
}
