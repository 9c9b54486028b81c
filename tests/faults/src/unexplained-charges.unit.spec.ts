import { describe, expect, it } from '@jest/globals';
import type { CallOutcome } from './load.js';
import { unexplainedCharges } from './unexplained-charges.js';

const served: CallOutcome = { accountId: 'one', status: 200, success: true, executionId: 'served' };
const lost: CallOutcome = { accountId: 'one', status: 504, success: false, executionId: 'lost' };
const broken: CallOutcome = { accountId: 'one' };
const notRun: CallOutcome = { accountId: 'one', status: 503, code: 'not_dispatched', retryAfter: '2' };
const charged = (...ids: string[]): Map<string, string> => new Map(ids.map((id) => [id, 'one']));

describe('charges that no answer allows for', () => {
  it('are none where calls succeeded or their outcome was left open', () => {
    expect(unexplainedCharges(charged('served', 'lost', 'another'), [served, lost, broken])).toEqual([]);
    expect(unexplainedCharges(charged('served'), [served, lost, broken])).toEqual([]);
  });

  it('are those of calls that were answered 503, or refused', () => {
    expect(unexplainedCharges(charged('served', 'other'), [served, notRun])).toEqual(['other']);
    expect(unexplainedCharges(charged('lost'), [{ ...lost, status: 200 }])).toEqual(['lost']);
    expect(unexplainedCharges(charged('other'), [{ accountId: 'one', status: 500 }])).toEqual(['other']);
  });

  it('are not explained by the execution or the account of another call', () => {
    expect(unexplainedCharges(charged('other'), [lost])).toEqual(['other']);
    expect(unexplainedCharges(charged('first', 'second'), [broken])).toEqual(['second']);
    expect(unexplainedCharges(new Map([['other', 'two']]), [broken])).toEqual(['other']);
  });
});
