import { describe, expect, it } from '@jest/globals';
import { ledgerEntryTypes } from '@capability-router/contracts';
import { chargeTypes, entryTypesWhere, traitsOf } from './entry-types.js';

describe('the types of ledger entries', () => {
  it('have the sign that their names tell', () => {
    for (const entryType of ledgerEntryTypes) {
      expect([entryType, traitsOf(entryType).sign]).toEqual([entryType, entryType.startsWith('grant_') ? 1n : -1n]);
    }
  });

  it('are posted in ways that agree with their sign', () => {
    for (const entryType of ledgerEntryTypes) {
      const { sign, postedBy } = traitsOf(entryType);
      expect(postedBy.length).toBeGreaterThan(0);
      for (const kind of postedBy)
        expect([entryType, kind === 'grant' || kind === 'restore']).toEqual([entryType, sign > 0n]);
    }
  });

  it('have the scope of the specification', () => {
    const shown = entryTypesWhere(({ scope }) => scope === 'account_history');
    const specified = ['grant_payment_recharge', 'consume_tool_search', 'consume_tool_execute', 'consume_model_call'];
    expect([...shown].sort()).toEqual([...specified].sort());
  });

  it('are refunded exactly where they are charges, and each kind of id is charged by one of them', () => {
    expect(entryTypesWhere(({ undoable }) => undoable === 'refund')).toEqual(
      entryTypesWhere(({ postedBy }) => postedBy.includes('charge')),
    );
    expect(chargeTypes.map(({ entryType }) => entryType)).toEqual(
      entryTypesWhere(({ undoable }) => undoable === 'refund'),
    );
    expect(new Set(chargeTypes.map(({ idPrefix }) => idPrefix)).size).toBe(chargeTypes.length);
  });
});
