import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadModule, parseSync } from 'libpg-query';
import { workspaceRoot } from '../workspace.js';
import { accessesOf, type Access, type DistributionColumns, type TableAccess } from './account-predicates.js';
import { hotStatements, statementOf, type HotStatement } from './hot-statements.js';

const byAccount = [
  ...['account_balances', 'budgets', 'credit_lots', 'daily_allowances', 'holds', 'ledger_entries', 'ledger_heads'],
  ...['lot_burns', 'lot_restores', 'outcome_revisions', 'settlement_exceptions', 'settlements', 'usage_events'],
  ...['usage_facts', 'usage_imports'],
];
/** Events of billing have the account as the key of their partition. */
const columns: DistributionColumns = {
  ...Object.fromEntries(byAccount.map((table) => [table, 'account_id'])),
  events: 'partition_key',
};

/** Statements without a name that run as often as those that have one. */
const unnamed: readonly HotStatement[] = [
  statementOf('apps/billing/src/ledger/outboxes.sql.ts', 'readLedgerSql'),
  statementOf('apps/billing/src/holds/release-holds.sql.ts', 'releaseHoldsSql'),
];
const statements = [
  ...hotStatements(['apps/billing/src']),
  ...unnamed,
  ...hotStatements(['libs/event-store/src', 'libs/event-bus/src']),
];

const guide = readFileSync(join(workspaceRoot, 'docs/capacity.md'), 'utf8');
/** The rows of the table below a heading of the guide, each as its cells. */
function tableBelow(heading: string): string[][] {
  const [, section = ''] = guide.split(`### ${heading}\n`);
  return (section.split(/^#/m)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const unique = (values: readonly string[]): string => [...new Set(values)].sort().join(', ');
const tablesWith = (accesses: readonly TableAccess[], ...wanted: readonly Access[]): string =>
  unique(accesses.filter(({ access }) => wanted.includes(access)).map(({ table }) => table));

const rowOf = ({ name, sql }: HotStatement): string[] => {
  const accesses = accessesOf(parseSync(sql), columns);
  return [
    `\`${name}\``,
    tablesWith(accesses, 'one account', 'written'),
    tablesWith(accesses, 'accounts of a batch', 'joined'),
    tablesWith(accesses, 'anything else'),
  ];
};

beforeAll(loadModule);

describe('the statements of billing that run for every call', () => {
  it('reach their rows by the account, or docs/capacity.md says which do not', () => {
    expect(tableBelow('Statements')).toEqual(statements.map(rowOf).filter((row) => row.slice(1).some(Boolean)));
  });

  it('have a reason and a price in docs/capacity.md for every table that one of them reaches without the account', () => {
    const lacking = statements.flatMap((statement) =>
      accessesOf(parseSync(statement.sql), columns).flatMap(({ table, access }) =>
        access === 'anything else' ? [table] : [],
      ),
    );
    const told = tableBelow('Why, and what it costs');
    expect(told.map(([table = '']) => table.replaceAll('`', ''))).toEqual([...new Set(lacking)].sort());
    for (const [table, reason, price] of told)
      expect({ table, told: reason !== '' && price !== '' }).toEqual({ table, told: true });
  });
});

describe('how a statement reaches a table that is distributed', () => {
  const accesses = (sql: string): TableAccess[] => accessesOf(parseSync(sql), columns);

  it.each<[string, string, Access]>([
    ['one account', 'SELECT 1 FROM holds WHERE account_id = $1 AND execution_id = $2', 'one account'],
    ['the accounts of a batch', 'SELECT 1 FROM holds h WHERE h.account_id = ANY($1) FOR UPDATE', 'accounts of a batch'],
    ['a row that is at hand', 'UPDATE holds h SET state = v.s FROM v WHERE h.account_id = v.account_id', 'joined'],
    ['its own rows', 'INSERT INTO holds (execution_id, account_id) VALUES ($1, $2)', 'written'],
    [
      'its own rows, once',
      'INSERT INTO daily_allowances (account_id, day) VALUES ($1, $2) ON CONFLICT (account_id, day) DO NOTHING',
      'written',
    ],
    ['another key', 'SELECT 1 FROM holds WHERE execution_id = $1', 'anything else'],
    ['an account or something else', 'SELECT 1 FROM holds WHERE account_id = $1 OR execution_id = $2', 'anything else'],
    ['another account than one', 'SELECT 1 FROM holds WHERE account_id <> $1', 'anything else'],
    [
      'the account of another table',
      'DELETE FROM holds h USING settlements s WHERE s.account_id = $1',
      'anything else',
    ],
    [
      'a key without the account',
      'INSERT INTO usage_facts (event_id, account_id) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING',
      'anything else',
    ],
    ['rows without an account', 'INSERT INTO lot_burns (ledger_entry_id, lot_id) VALUES ($1, $2)', 'anything else'],
    [
      'the table in a part of it',
      'WITH a AS (SELECT 1 FROM holds WHERE execution_id = $1) SELECT 1 FROM a',
      'anything else',
    ],
  ])('is told of %s', (_what, sql, access) => {
    expect(
      accesses(sql)
        .filter(({ table }) => table !== 'settlements')
        .map((one) => one.access),
    ).toEqual([access]);
  });

  it('is told of a join by the account, and not of one by another column', () => {
    expect(accesses('SELECT 1 FROM credit_lots JOIN holds USING (account_id)').map(({ access }) => access)).toEqual([
      'joined',
      'joined',
    ]);
    expect(accesses('SELECT 1 FROM credit_lots JOIN lot_burns USING (lot_id)').map(({ access }) => access)).toEqual([
      'anything else',
      'anything else',
    ]);
  });

  it('is not told of a table of the whole deployment, nor of a part of the statement that has the name of a table', () => {
    expect(accesses('SELECT 1 FROM consumer_positions WHERE topic = $1')).toEqual([]);
    expect(accesses('WITH holds AS (SELECT 1) SELECT 1 FROM holds')).toEqual([]);
  });
});
