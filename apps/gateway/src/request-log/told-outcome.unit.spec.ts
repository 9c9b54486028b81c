import { describe, expect, it } from '@jest/globals';
import { creditsOf, reasonIn, reasonOf } from './told-outcome.js';

describe('the reason in a line', () => {
  it.each([
    ['the code of a refusal', { code: 'idempotency_key_in_use', execution_id: 'exec_1' }, 'idempotency_key_in_use'],
    [
      'the reason code of a failed call',
      { execution_outcome: { reason_code: 'transport.timeout' } },
      'transport.timeout',
    ],
    ['the error of OAuth', { error: 'invalid_grant', error_description: 'It has ended.' }, 'invalid_grant'],
    ['nothing where a text stands in its place', { code: 'Bearer sk-aaaa', error: 'It has ended.' }, undefined],
    ['nothing where a number stands in its place', { code: -7, message: 'limit' }, undefined],
    ['nothing of a list', ['invalid_grant'], undefined],
  ])('is %s', (_what, body, reason) => {
    expect(reasonIn(JSON.stringify(body))).toBe(reason);
    expect(reasonIn(Buffer.from(JSON.stringify(body)))).toBe(reason);
  });

  it('is not looked for in what is no JSON, too long, or a stream', () => {
    const long = JSON.stringify({ code: 'forbidden', message: 'x'.repeat(5_000) });
    expect(['{', long, undefined, new ReadableStream()].map(reasonIn)).toEqual(Array(4).fill(undefined));
  });

  it('is else what the status of an error stands for', () => {
    const statuses = [200, 400, 401, 402, 404, 405, 413, 429, 500, 503];
    expect(statuses.map((status) => reasonOf(status, undefined))).toEqual([
      undefined,
      'invalid_request',
      'invalid_api_key',
      'payment_required',
      'not_found',
      'method_not_allowed',
      'body_too_large',
      'rate_limited',
      'internal_error',
      'service_unavailable',
    ]);
    expect(reasonOf(404, 'execution_pending')).toBe('execution_pending');
    expect(reasonOf(404, 'a text of a provider')).toBe('not_found');
    expect(reasonOf(500, `a${'_b'.repeat(40)}`)).toBe('internal_error');
  });
});

it('reads credits as a service tells them, and nothing else', () => {
  expect(['0', '1.25', '', '-1', 'NaN', 'Infinity', ['1', '2'], undefined].map(creditsOf)).toEqual([
    0,
    1.25,
    ...Array<undefined>(6).fill(undefined),
  ]);
});
