import { Spill, type SpilledRow } from '@capability-router/billing/books';
import { topicNames, type SecurityLogEntryRecorded } from '@capability-router/contracts';
import type { TopicReader } from '@capability-router/event-bus/kafka';
import { chainedRecord, followRecords, type ChainedRecord } from '@capability-router/identity/security-log-records';
import type { Data, GlobalOptions } from '../admin-api.js';
import { openDeployment, reading } from '../deployment/deployment.js';
import { startProgress } from '../progress.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { tellVerified } from './tell-verified.js';

/** Findings that are told. */
const MAX_FINDINGS = 100;

/** @throws CommandError where the records do not form sound chains, or cannot be read */
export async function verifyTopic(
  account: string | undefined,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  if ((terminal.env['KAFKA_BROKERS'] ?? '').trim() === '') {
    throw new CommandError(exitCodes.usage, 'KAFKA_BROKERS is not set', [
      'Set it as the services have it. A standalone instance has no topic apart from its database: leave --topic out.',
    ]);
  }
  const deployment = await openDeployment({}, [], terminal);
  try {
    const { topics } = deployment;
    if (topics === undefined) throw new Error('there are brokers and no reader of topics');
    const progress = await startProgress(terminal, global, { unit: 'records' });
    const verified = await reading(() => followTopic(topics, account, progress.report)).finally(progress.end);
    tellVerified(verified, global, terminal);
  } finally {
    await deployment.close();
  }
}

/** Every chain of the topic, or one, by its records alone: no database is asked. */
export async function followTopic(
  topics: Pick<TopicReader, 'read'>,
  only?: string,
  onProgress: (records: number, note: string) => void = () => undefined,
): Promise<{
  readonly entries: number;
  readonly findings: readonly Data[];
  /** `deleted_records`: entries before the first that is kept of a chain; a chain of which nothing is kept is not counted. */
  readonly told: { readonly malformed_records: number; readonly deleted_records: number };
  readonly notes: readonly string[];
}> {
  const spill = await Spill.open();
  const findings: Data[] = [];
  let [records, entries, deleted] = [0, 0, 0];
  try {
    const { malformed, expired } = await topics.read(topicNames.securityLog, {
      handle: async ({ type, data }) => {
        const record = data as unknown as SecurityLogEntryRecorded;
        if (type !== 'SecurityLogEntryRecorded' || (only !== undefined && record.chain !== only)) return;
        records += 1;
        onProgress(records, 'reading');
        await spill.add(toRow(String(record.chain), chainedRecord(record)));
      },
    });
    for await (const chains of spill.groups()) {
      for (const [chain, rows] of chains) {
        const links = rows.map(fromRow);
        entries += new Set(links.map(({ entrySeq }) => entrySeq)).size;
        if (expired) deleted += firstNumber(links) - 1;
        for (const { kind, entrySeq, entryId } of followRecords(chain, links, expired ? 'kept' : 'first')) {
          if (findings.length < MAX_FINDINGS) findings.push({ kind, chain, entry_seq: entrySeq, entry_id: entryId });
        }
      }
      onProgress(records, `followed: ${entries}`);
    }
    const notes = [
      ...(malformed > 0 ? [`${malformed} records are no events`] : []),
      ...(expired
        ? [`OLD RECORDS WERE DELETED, AT LEAST ${deleted}: each chain was followed from the first that is kept`]
        : []),
      'an end of a chain that is not on the topic is not missed: compare the count with that of verify without --topic',
    ];
    return { entries, findings, told: { malformed_records: malformed, deleted_records: deleted }, notes };
  } finally {
    await spill.close();
  }
}

const firstNumber = (records: readonly ChainedRecord[]): number =>
  records.reduce((first, { entrySeq }) => Math.min(first, entrySeq), Number.MAX_SAFE_INTEGER);

const toRow = (chain: string, { entrySeq, entryId, previousHash, hash, sound }: ChainedRecord): SpilledRow => [
  chain,
  entrySeq,
  entryId,
  previousHash,
  hash,
  sound,
];

const fromRow = ([, entrySeq, entryId, previousHash, hash, sound]: SpilledRow): ChainedRecord => ({
  entrySeq: Number(entrySeq),
  entryId: String(entryId),
  previousHash: String(previousHash),
  hash: String(hash),
  sound: sound === true,
});
