import { expect, it } from 'vitest';
import { check, temporaryFolder, trackside } from './run.ts';

const folder = temporaryFolder();

const TWICE = `t1|begin(A)
t1|acq(m)
t1|rel(m)
t1|acq(m)
t1|rel(m)
t1|end(A)
t2|acq(m)
t2|rel(m)
`;

it('attaches a trace that an exact analysis rejects', () => {
  const predicted = check([folder.write('run.std', TWICE), '--analysis', 'sidetrack', '--confirm']);
  expect(predicted.result.serializable).toBeNull();
  const { confirmation } = predicted.result.violations[0];
  expect(confirmation?.status).toBe('confirmed');
  const replayed = check([folder.write('schedule.std', confirmation?.trace ?? '')]);
  expect(replayed.result.violations).toMatchObject([{ kind: 'transaction', thread: 't1', event: 6 }]);
});

it('confirms what came from standard input', () => {
  const { result } = check(['-', '--analysis', 'sidetrack', '--confirm'], { input: TWICE });
  expect(result.violations[0].confirmation?.status).toBe('confirmed');
});

it('looks for nothing without the option', () => {
  const { result } = check([folder.write('run.std', TWICE), '--analysis', 'sidetrack']);
  expect(result.violations[0]).not.toHaveProperty('confirmation');
});

it('refuses families of threads', () => {
  const { status, stderr } = trackside(['check', '-', '--confirm', '--fork-join', 'family']);
  expect(status).toBe(2);
  expect(stderr).toContain('--fork-join edge');
});
