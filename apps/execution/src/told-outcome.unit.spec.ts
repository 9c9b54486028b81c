import { describe, expect, it } from '@jest/globals';
import { toldOutcome } from './told-outcome.js';

describe('the headers of an answer to a call', () => {
  it('tell its reason code and its bill', () => {
    const body = { success: true, cost: 1.25, execution_outcome: { reason_code: 'ok' } };
    expect(toldOutcome({ body })).toEqual({ 'x-reason-code': 'ok', 'x-billed-credits': '1.25' });
  });

  it('tell no bill where the answer repeats one, since the request is charged nothing', () => {
    const body = { success: true, cost: 1.25, execution_outcome: { reason_code: 'ok' } };
    expect(toldOutcome({ body, headers: { 'idempotency-replayed': 'true' } })).toEqual({ 'x-reason-code': 'ok' });
  });

  it('tell nothing where the answer does not', () => {
    expect(toldOutcome({ body: { message: 'still running', execution_outcome: null } })).toEqual({});
  });
});
