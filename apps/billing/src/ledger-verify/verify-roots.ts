import type { LedgerRootRecorded } from '@capability-router/contracts';
import type pg from 'pg';
import { hashRoot, NO_HASH, type LedgerRoot, type LedgerState } from '../ledger-roots/ledger-root.js';
import { rootsAfter } from '../ledger-roots/ledger-roots.sql.js';
import { rootRecorded } from '../ledger-roots/record-root.js';
import type { Finding } from './findings.js';

/** One a day: eleven years in one read. */
const PAGE_ROOTS = 4_096;

/** Roots as they stand in the table: each recomputed, none missing. Gives the last one. */
export async function verifyRootTable(
  pool: pg.Pool,
  onFinding: (finding: Finding) => void,
  onRoot: (root: LedgerRoot) => void = () => undefined,
): Promise<LedgerRoot | undefined> {
  let last: LedgerRoot | undefined;
  for (;;) {
    const roots = await rootsAfter(pool, last?.rootSeq ?? 0n, PAGE_ROOTS);
    for (const root of roots) {
      const expected = (last?.rootSeq ?? 0n) + 1n;
      if (root.rootSeq !== expected) onFinding(ofRoot(expected, `root ${expected} is missing before ${root.rootSeq}`));
      else if (root.previousHash !== (last?.hash ?? NO_HASH)) {
        onFinding(ofRoot(root.rootSeq, `root ${root.rootSeq} does not follow the one before it`));
      } else if (hashRoot(root) !== root.hash) {
        onFinding(ofRoot(root.rootSeq, `root ${root.rootSeq} of ${root.ledgerDate} was changed`));
      }
      onRoot(root);
      last = root;
    }
    if (roots.length < PAGE_ROOTS) return last;
  }
}

/** Compares the sum of the ledger at the cut of `root` with what the root says. */
export function compareState(
  root: LedgerState & Pick<LedgerRoot, 'rootSeq' | 'ledgerDate'>,
  state: LedgerState,
): Finding[] {
  const facts = ['accounts', 'entries', 'balance', 'merkleRoot'] as const;
  const differing = facts.filter((fact) => root[fact] !== state[fact]);
  if (differing.length === 0) return [];
  const said = differing.map((fact) => `${fact} ${state[fact]} instead of ${root[fact]}`).join(', ');
  return [
    ofRoot(
      root.rootSeq,
      `the entries before the root of ${root.ledgerDate} are not those of then: ${said}; something older than the root was written anew`,
    ),
  ];
}

/** The table against what was published, by `rootSeq`. `mayLack`: this one has perhaps not been published yet. */
export function comparePublishedRoots(
  stored: readonly LedgerRoot[],
  published: ReadonlyMap<number, LedgerRootRecorded>,
  mayLack: (root: LedgerRoot) => boolean,
): Finding[] {
  const findings: Finding[] = [];
  for (const root of stored) {
    const record = published.get(Number(root.rootSeq));
    if (record === undefined) {
      if (!mayLack(root)) findings.push(ofRoot(root.rootSeq, `root ${root.rootSeq} was never published`));
    } else if (!sameRecord(record, rootRecorded(root))) {
      findings.push(
        ofRoot(root.rootSeq, `root ${root.rootSeq} was published as ${record.hash}, the table has ${root.hash}`),
      );
    }
  }
  const known = new Set(stored.map((root) => Number(root.rootSeq)));
  for (const sequence of published.keys()) {
    if (!known.has(sequence)) findings.push(ofRoot(BigInt(sequence), `root ${sequence} was published and is gone`));
  }
  return findings;
}

function sameRecord(a: LedgerRootRecorded, b: LedgerRootRecorded): boolean {
  return (Object.keys(b) as (keyof LedgerRootRecorded)[]).every((member) => a[member] === b[member]);
}

function ofRoot(rootSeq: bigint, detail: string): Finding {
  return { kind: 'root', accountId: null, sequence: rootSeq.toString(), entryId: null, detail };
}
