import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

describe('trackside generate', () => {
  it('writes the same trace in every format, serializable unless told otherwise', () => {
    const lengths = new Set<number>();
    for (const ending of ['std', 'csv', 'trk', 'std.gz']) {
      const path = join(folder.path, `calm.${ending}`);
      expect(trackside(['generate', path, '--events', '20e3', '--quiet'])).toMatchObject({
        status: 0,
        stderr: '',
      });
      const { result } = check([path]);
      expect(result).toMatchObject({ verdict: 'ok', serializable: true });
      lengths.add(result.events);
    }
    expect(lengths.size).toBe(1);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(20_000);
    const torn = join(folder.path, 'torn.trk');
    trackside(['generate', torn, '--events', '20000', '--violations', '1']);
    expect(check([torn]).result).toMatchObject({ verdict: 'violation', serializable: false });
  });

  it('writes to a pipe', () => {
    const { status, stdout, stderr } = trackside(['generate', '-', '--to', 'std', '--events', '100']);
    expect(status).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(100);
    expect(stderr).toMatch(/^wrote standard output \(std\): \d+ events\n$/);
  });

  it('refuses numbers that make no sense', () => {
    for (const [args, message] of [
      [['--events', 'many'], '--events takes a whole number; found '],
      [['--sharing', '2'], '--sharing takes a number from 0 to 1; found '],
      [['--threads', '0'], 'a trace needs at least one thread'],
      [['--variables', '3'], 'there are too few variables; found 3'],
    ] as const) {
      const { status, stderr } = trackside(['generate', '-', '--to', 'std', ...args]);
      expect(status).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(trackside(['generate', 'somewhere'])).toMatchObject({ status: 2 });
  });
});
