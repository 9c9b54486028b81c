import { describe, expect, it } from '@jest/globals';
import { compareRecords } from './compare-records.js';
import type { AuditedRefunds, EntryFacts, SourceRecord } from './records.js';
import { fromSpilled, toSpilled } from './spilled.js';
import { Totals } from './totals.js';

const id = `exec_${'a'.repeat(32)}`;
const accountId = `acc_${'b'.repeat(32)}`;
const entry: EntryFacts = { entryId: 'led_1', entryType: 'consume_tool_execute', amount: -5n, hash: 'h' };

const end: SourceRecord = { source: 'execution', accountId, requested: 5n, audited: true };
const settlement: SourceRecord = {
  source: 'settlement',
  accountId,
  requested: 5n,
  settled: 5n,
  covered: 0n,
  status: 'settled',
  entryId: 'led_1',
};
const ledger: SourceRecord = { source: 'ledger', accountId, entry };
const topic: SourceRecord = { source: 'topic', accountId, entry };
const audit: SourceRecord = { source: 'audit', accountId, requested: 5n, settled: 5n, entryId: 'led_1' };
const refunded = (refunds: AuditedRefunds): SourceRecord => ({ ...audit, refunds });
const charged = [end, settlement, ledger, topic, audit];

const freeEnd: SourceRecord = { ...end, requested: 0n };
const freeSettlement: SourceRecord = {
  ...settlement,
  requested: 0n,
  settled: 0n,
  status: 'not_applicable',
  entryId: null,
};
const freeAudit: SourceRecord = { ...audit, requested: 0n, settled: 0n, entryId: null };
const covered: SourceRecord = { ...freeSettlement, requested: 5n, covered: 5n };

const kinds = (records: readonly SourceRecord[], options = { topic: true }): string[] =>
  compareRecords(id, records, options).map(({ kind }) => kind);
const without = (...gone: readonly SourceRecord[]): SourceRecord[] => charged.filter((one) => !gone.includes(one));
const instead = (old: SourceRecord, now: SourceRecord): SourceRecord[] =>
  charged.map((one) => (one === old ? now : one));

describe('what the sources say of one execution', () => {
  it.each([
    ['charged', charged],
    ['charged, and everything delivered twice', [...charged, settlement, topic]],
    ['covered by the daily allowance', [end, covered, { ...freeAudit, requested: 5n }]],
    ['refunded', instead(audit, refunded({ audited: 5n, due: 5n, booked: 5n }))],
    ['refunded a moment ago', instead(audit, refunded({ audited: 2n, due: 2n, booked: 5n }))],
    ['free', [freeEnd, freeSettlement, freeAudit]],
    ['answered 503', [{ ...freeEnd, audited: false }, freeSettlement]],
    [
      'uncollected',
      [
        end,
        { ...settlement, status: 'uncollected', settled: 0n, entryId: null },
        { ...audit, settled: 0n, entryId: null },
      ],
    ],
  ] as [string, SourceRecord[]][])('agrees where it was %s', (_what, records) => {
    expect(kinds(records)).toEqual([]);
  });

  it.each([
    ['its owner does not know it', without(end), ['execution_unknown']],
    ['it ended twice', [...charged, end], ['ended_twice']],
    ['it was not settled', [end, { ...audit, settled: null, entryId: null }], ['not_settled']],
    ['it was charged without a settlement', without(settlement), ['not_settled', 'charged_without_settlement']],
    [
      'it was settled at another price',
      instead(end, { ...end, requested: 6n }),
      ['settlement_differs', 'audit_differs'],
    ],
    [
      'it was settled in part',
      instead(settlement, { ...settlement, settled: 4n }),
      ['settlement_differs', 'charge_differs', 'audit_differs'],
    ],
    ['the charge is gone', without(ledger), ['not_charged', 'topic_unknown']],
    [
      'it was charged twice',
      [...charged, { ...ledger, entry: { ...entry, entryId: 'led_2' } }],
      ['charged_twice', 'topic_missing'],
    ],
    [
      'the charge has another amount',
      instead(ledger, { ...ledger, entry: { ...entry, amount: -6n } }),
      ['charge_differs', 'topic_differs'],
    ],
    ['a free call was charged', [freeEnd, freeSettlement, freeAudit, ledger, topic], ['charge_differs']],
    ['the accounts differ', instead(ledger, { ...ledger, accountId: 'acc_other' }), ['charge_differs']],
    ['the audit row is gone', without(audit), ['audit_missing']],
    ['there are two audit rows', [...charged, audit], ['audit_twice']],
    ['the audit row waits', instead(audit, { ...audit, settled: null, entryId: null }), ['audit_differs']],
    ['the audit row asks for more', instead(audit, { ...audit, requested: 9n }), ['audit_differs']],
    ['the audit row links elsewhere', instead(audit, { ...audit, entryId: 'led_9' }), ['audit_differs']],
    ['nobody paid', [end, { ...covered, covered: 0n }, { ...freeAudit, requested: 5n }], ['settlement_differs']],
    ['it was paid and covered', instead(settlement, { ...settlement, covered: 5n }), ['settlement_differs']],
    ['the audit lacks a refund', instead(audit, refunded({ audited: 2n, due: 3n, booked: 3n })), ['audit_differs']],
    [
      'the audit has a refund too many',
      instead(audit, refunded({ audited: 5n, due: 0n, booked: 0n })),
      ['audit_differs'],
    ],
    ['a 503 has an audit row', [{ ...freeEnd, audited: false }, freeSettlement, freeAudit], ['audit_unexpected']],
    ['the entry was not published', without(topic), ['topic_missing']],
    ['the entry was rewritten', instead(ledger, { ...ledger, entry: { ...entry, hash: 'x' } }), ['topic_differs']],
  ] as [string, SourceRecord[], string[]][])('differs where %s', (_what, records, expected) => {
    expect(kinds(records)).toEqual(expected);
  });

  it('says nothing of the topic where it was not read', () => {
    expect(kinds(without(topic), { topic: false })).toEqual([]);
  });

  it('goes by the entry itself where nothing was called', () => {
    const grant = { ...entry, entryType: 'grant_welcome_bonus', amount: 9n };
    const both: SourceRecord[] = [
      { source: 'ledger', accountId, entry: grant },
      { source: 'topic', accountId, entry: grant },
    ];
    expect(compareRecords('led_1', both, { topic: true })).toEqual([]);
    expect(compareRecords('led_1', both.slice(0, 1), { topic: true })).toEqual([
      expect.objectContaining({ kind: 'topic_missing', id: 'led_1', accountId }),
    ]);
  });

  it('comes back from a temporary file as it went in', () => {
    const all = [
      ...charged,
      covered,
      freeEnd,
      freeSettlement,
      freeAudit,
      { ...audit, requested: null, settled: null } as SourceRecord,
      refunded({ audited: 2n, due: 1n, booked: 3n }),
    ];
    for (const record of all) {
      expect(fromSpilled(JSON.parse(JSON.stringify(toSpilled(id, record))) as never)).toEqual(record);
    }
  });

  it('is counted once per source and type, redeliveries and what was not collected or was covered left out', () => {
    const totals = new Totals();
    totals.add(id, [...charged, topic]);
    totals.add(`${id}2`, [end, { ...settlement, status: 'uncollected', settled: 0n, entryId: null }]);
    totals.add(`${id}3`, [end, covered, freeAudit]);
    const one = { count: 1, amount: -5n };
    expect(totals.byType()).toEqual([
      ['consume_tool_execute', { ledger: one, topic: one, audit: one, executions: one }],
    ]);
    expect([totals.ended, totals.settled, totals.uncollected, totals.covered]).toEqual([3, 3, 1, 1]);
  });
});
