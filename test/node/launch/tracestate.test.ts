import { describe, expect, it } from 'vitest';
import { isNear, takeCall, withCall } from '../../../src/node/launch/tracestate.ts';

describe('the id of a call in tracestate', () => {
  it('comes first, and leaves what others have put there', () => {
    expect(withCall(undefined, 'a-1')).toBe('trackside=a-1');
    expect(withCall('rojo=00f067aa0ba902b7, congo=t61rcWkgMzE', 'a-1')).toBe(
      'trackside=a-1,rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    );
  });

  it('takes the place of an older one, and of the oldest of 32', () => {
    const members = Array.from({ length: 32 }, (_, i) => `v${i}=x`);
    const header = withCall(['trackside=old', ...members].join(','), 'a-2').split(',');
    expect(header).toEqual(['trackside=a-2', ...members.slice(0, 31)]);
  });

  it('is taken out of what has come, and only that', () => {
    const headers = ['Host', 'x', 'TraceState', 'rojo=1,trackside=a-3,congo=2', 'Accept', '*/*'];
    expect(takeCall(headers)).toBe('a-3');
    expect(headers).toEqual(['Host', 'x', 'TraceState', 'rojo=1,congo=2', 'Accept', '*/*']);
    const alone = ['tracestate', 'trackside=a-4', 'Host', 'x'];
    expect(takeCall(alone)).toBe('a-4');
    expect(alone).toEqual(['Host', 'x']);
    const hostile = ['tracestate', 'trackside=__proto__ x,other=1'];
    expect(takeCall(hostile)).toBe(null);
    expect(hostile).toEqual(['tracestate', 'trackside=__proto__ x,other=1']);
  });

  it('is told to this machine and to names without a dot, and to nobody else', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '::1', 'payments', 'api-2'].every(isNear)).toBe(
      true,
    );
    expect(
      ['example.org', '10.0.0.1', '1270.0.0.1', '127.0.0.1.example.org', '[fe80::1]', ''].some(isNear),
    ).toBe(false);
  });
});
