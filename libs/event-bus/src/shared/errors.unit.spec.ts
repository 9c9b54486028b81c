import { describe, expect, it } from '@jest/globals';
import { AppError } from '@capability-router/kernel';
import { backoffMs } from './backoff.js';
import { classifyError, PermanentError, TransientError } from './errors.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('an error of a handler', () => {
  it.each([
    '25P03',
    '40001',
    '40P01',
    '53300',
    '57P01',
    '57P03',
    '08006',
    '28P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'UND_ERR_SOCKET',
  ])('with code %s is transient', (code) => {
    expect(classifyError(withCode(code))).toBe('transient');
    expect(classifyError(new Error('wrapped', { cause: withCode(code) }))).toBe('transient');
  });

  it('is transient when its thrower says that it can be retried, or the connection went away', () => {
    expect(classifyError(new TransientError('x'))).toBe('transient');
    expect(classifyError(new AppError('service_unavailable'))).toBe('transient');
    expect(classifyError(new Error('Connection terminated unexpectedly'))).toBe('transient');
  });

  it('is permanent only when its thrower says so', () => {
    expect(classifyError(new PermanentError('x', { cause: withCode('40001') }))).toBe('permanent');
    expect(classifyError(withCode('23505'))).toBe('unknown');
    expect(classifyError('text')).toBe('unknown');
  });

  it('is waited for longer and longer, up to 10 seconds, half of it by chance', () => {
    expect([1, 2, 3, 40].map((n) => backoffMs(n, () => 0))).toEqual([50, 100, 200, 5_000]);
    expect(backoffMs(40, () => 1)).toBe(10_000);
  });
});
