import { columnsOf, publicEventSchemas, topicNames, type Column, type EventSchema } from '@capability-router/contracts';

/** A topic whose records go into files. */
export interface Stream {
  /** Also the folder and the first part of the names of its files. */
  readonly name: 'ledger-entries' | 'usage-settlements';
  readonly topic: string;
  readonly eventType: string;
  /** The member that is dense per account, from 1. */
  readonly sequence: string;
  /** The member that tells two records of one sequence apart. */
  readonly identity: string;
  /** Control totals are kept per value of `group`, over the amounts of `amount`. */
  readonly group: string;
  readonly amount: string;
  readonly columns: readonly Column[];
}

const schemaOf = (topic: string, type: string): EventSchema => {
  const found = publicEventSchemas.find((schema) => schema.topic === topic && schema.type === type);
  if (found === undefined) throw new Error(`${type} on ${topic} has no schema`);
  return found;
};

export const ledgerStream: Stream = {
  name: 'ledger-entries',
  topic: topicNames.ledgerEntries,
  eventType: 'LedgerEntryRecorded',
  sequence: 'entrySeq',
  identity: 'entryId',
  group: 'entryType',
  amount: 'amountMicroCredits',
  columns: columnsOf(schemaOf(topicNames.ledgerEntries, 'LedgerEntryRecorded')),
};

export const settlementStream: Stream = {
  name: 'usage-settlements',
  topic: topicNames.usageSettlements,
  eventType: 'UsageSettled',
  sequence: 'settlementSeq',
  identity: 'usageEventId',
  group: 'status',
  amount: 'settledMicroCredits',
  columns: columnsOf(schemaOf(topicNames.usageSettlements, 'UsageSettled')),
};

export const streams: readonly Stream[] = [ledgerStream, settlementStream];

/** Read to see how far the ledger of an account goes; not written to files. */
export const balances = {
  topic: topicNames.balances,
  eventType: 'AccountBalanceChanged',
  columns: columnsOf(schemaOf(topicNames.balances, 'AccountBalanceChanged')),
};

export const allTopics: readonly string[] = [...streams.map(({ topic }) => topic), balances.topic];
