import { describe, expect, it } from 'vitest';
import { events } from '../support/notation.ts';
import { type Interleavings, tryInterleavings } from './interleavings.ts';

function judged(notation: string, forkJoin: 'edge' | 'boundary' = 'edge'): Interleavings {
  return tryInterleavings(events(notation), { forkJoin });
}

const atomic = { conflictAtomic: true, viewAtomic: true };
const broken = { conflictAtomic: false, viewAtomic: false };

describe('trying all interleavings', () => {
  it('finds the write that could have come between two others', () => {
    expect(judged('t1: begin A, r x, w x, end; t2: w x')).toMatchObject(broken);
    expect(judged('t1: begin A, w x, end; t2: w x')).toMatchObject(atomic);
  });

  it('keeps to the locks', () => {
    expect(judged('t1: begin A, acq l, r x, w x, rel l, end; t2: acq l, w x, rel l')).toMatchObject(atomic);
    expect(
      judged('t1: begin A, acq l, r x, rel l, acq l, w x, rel l, end; t2: acq l, w x, rel l'),
    ).toMatchObject(broken);
  });

  it('keeps to forks and joins', () => {
    expect(judged('t1: begin A, r x, w x, end, fork t2; t2: w x')).toMatchObject(atomic);
    expect(judged('t2: w x; t1: join t2, begin A, r x, w x, end')).toMatchObject(atomic);
    expect(judged('t1: fork t2, begin A, r x, w x, end; t2: w x; t1: join t2')).toMatchObject(broken);
  });

  it('takes a write that nobody sees for what it is', () => {
    expect(judged('t1: begin A, w x, w x, end; t2: w x')).toMatchObject({
      conflictAtomic: false,
      viewAtomic: true,
    });
  });

  it('lets updates commute', () => {
    expect(judged('t1: begin A, u x, u x, end; t2: u x')).toMatchObject(atomic);
    expect(judged('t1: begin A, u x, u x, end; t2: r x')).toMatchObject(broken);
  });

  it('does not count schedules that get stuck, but tells of them', () => {
    const crossed =
      't1: begin A, acq l, acq m, w x, rel m, rel l, end; t2: begin B, acq m, acq l, w x, rel l, rel m, end';
    expect(judged(crossed)).toEqual({ ...atomic, deadlocks: true });
    expect(judged(crossed.replace('acq m, acq l', 'acq l, acq m'))).toEqual({ ...atomic, deadlocks: false });
  });

  it('has no serial schedule for a block that waits for a child which it forked', () => {
    const parent = 't1: begin A, fork t2; t2: r x; t1: join t2, end';
    expect(judged(parent)).toMatchObject(broken);
    expect(judged(parent, 'boundary')).toMatchObject(atomic);
    expect(judged('t1: begin A, fork t2, join t2, end')).toMatchObject(atomic);
  });

  it('does not put a transaction where a lock that it needs is held', () => {
    // In between the write of y and the read of z t1 would have to be, and cannot be.
    const inside = 't1: begin A, acq l, rel l, acq k, r m, w n, rel k, end; t2: acq l, w y, r z, rel l';
    const others = 't3: r y, acq k, w m, rel k; t4: acq k, r n, rel k, w z';
    expect(judged(`${inside}; ${others}`)).toMatchObject({ conflictAtomic: false });
    expect(judged(`${inside.replace('acq l, rel l, ', '')}; ${others}`)).toMatchObject({
      conflictAtomic: true,
    });
  });
});
