import { describe, expect, it } from '@jest/globals';
import { canonicalHead, hashRoot, LedgerStateBuilder, NO_HASH } from './ledger-root.js';

const head = (digit: string) => ({
  accountId: `acc_${digit.repeat(32)}`,
  entrySeq: 3n,
  balance: 4_500_000n,
  hash: digit.repeat(64),
});

describe('a ledger root', () => {
  it('never changes its encoding: roots of earlier builds must still verify', () => {
    expect(canonicalHead(head('a'))).toBe(
      `{"account_id":"acc_${'a'.repeat(32)}","balance_micro":"4500000","entry_seq":"3","hash":"${'a'.repeat(64)}","version":1}`,
    );
    const builder = new LedgerStateBuilder();
    builder.add(head('a'));
    builder.add(head('b'));
    const state = builder.state();
    expect(state).toEqual({
      accounts: 2n,
      entries: 6n,
      balance: 9_000_000n,
      merkleRoot: '4c0131ce21b452c2df21cd21f35dfe59a45b0b07c6796515c78ba16e8501a601',
    });
    const root = {
      ...state,
      rootSeq: 1n,
      ledgerDate: '2026-01-02',
      cut: 123n,
      computedAt: '2026-01-03T00:00:01.000Z',
      previousHash: NO_HASH,
    };
    expect(hashRoot(root)).toBe('280274e629f7a05333bbf69131364ba60dc897a4f1f8185eddb6116442f7fd70');
  });

  it('takes accounts in the order of their ids only, each once', () => {
    const builder = new LedgerStateBuilder();
    builder.add(head('b'));
    expect(() => builder.add(head('a'))).toThrow(/byte order/);
    expect(() => builder.add(head('b'))).toThrow(/byte order/);
  });
});
