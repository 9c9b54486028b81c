import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { balances, ledgerStream, streams } from '../streams.js';
import { readRecord } from './read-record.js';

const golden = fileURLToPath(new URL('../../../../libs/contracts/golden/events', import.meta.url));
const kinds = [...streams, balances];
const files = kinds.flatMap((kind) =>
  readdirSync(join(golden, kind.topic)).map((file): [string, (typeof kinds)[number]] => [
    `${kind.topic}/${file}`,
    kind,
  ]),
);

describe('reading a record', () => {
  it.each(files)('takes what was once published: %s', (path, { columns, eventType }) => {
    const event = JSON.parse(readFileSync(join(golden, path), 'utf8')) as {
      headers: Record<string, string>;
      value: Record<string, unknown>;
    };
    const type = event.headers['ce_type'];
    const read = readRecord(columns, eventType, { type, value: Buffer.from(JSON.stringify(event.value)) });
    if (read.kind !== 'record') throw new Error(JSON.stringify(read));
    for (const { member, kind } of columns) {
      const value = event.value[member];
      const cell = read.cells.get(member);
      if (value === undefined) expect(cell).toBeNull();
      else expect(kind === 'json' ? JSON.parse(String(cell)) : kind === 'amount' ? String(cell) : cell).toEqual(value);
    }
  });

  const sample = JSON.parse(readFileSync(join(golden, ledgerStream.topic, '0001-grant.json'), 'utf8')) as {
    value: Record<string, unknown>;
  };
  const readWith = (over: Record<string, unknown>) =>
    readRecord(ledgerStream.columns, ledgerStream.eventType, {
      type: ledgerStream.eventType,
      value: Buffer.from(JSON.stringify({ ...sample.value, ...over })),
    }).kind;

  it('passes over members that it does not know', () => {
    expect(readWith({ addedLater: { by: 'another build' } })).toBe('record');
  });

  it.each<[string, Record<string, unknown>]>([
    ['lacks a member', { entryId: undefined }],
    ['has an amount that is a number', { amountMicroCredits: 5 }],
    ['has an amount with decimals', { amountMicroCredits: '1.5' }],
    ['has a sequence that is no whole number', { entrySeq: 1.5 }],
    ['has a time that is none', { createdAt: 'yesterday' }],
    ['has metadata that is text', { metadata: 'text' }],
  ])('refuses a record that %s', (_what, over) => {
    expect(readWith(over)).toBe('malformed');
  });

  it('refuses what has no type, no value, or is no object', () => {
    const read = (type: string | undefined, value: Buffer | null) =>
      readRecord(ledgerStream.columns, ledgerStream.eventType, { type, value }).kind;
    expect(read(undefined, Buffer.from('{}'))).toBe('malformed');
    expect(read(ledgerStream.eventType, null)).toBe('malformed');
    expect(read(ledgerStream.eventType, Buffer.from('[]'))).toBe('malformed');
    expect(read('LedgerEntryRedacted', Buffer.from('{}'))).toBe('unknown-type');
  });
});
