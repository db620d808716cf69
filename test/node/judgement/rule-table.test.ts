import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rulesAsMarkdown } from '../../../src/node/judgement/rule-table.ts';
import { trackside } from '../../cli/run.ts';

const PAGE = new URL('../../../docs/reference/javascript.md', import.meta.url);

it('the documentation has the table of rules as it is', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [, table] = page.split(/<!-- \/?rules -->/);
  expect(table.trim()).toBe(rulesAsMarkdown());
});

it('run --explain-rules prints it, without a program', () => {
  const { status, stdout } = trackside(['run', '--explain-rules']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^stale-act +error +what was written depends on/m);
});
