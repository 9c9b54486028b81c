/** Every topic of the deployment: the one table from which brokers are set up and `docs/topics.md` is generated. */
export interface TopicDefinition {
  readonly name: string;
  readonly producer: string;
  /**
   * The services that have an event handler for it, and who reads it outside of the services; a test compares the
   * services.
   */
  readonly readers: readonly string[];
  readonly key: 'account id' | 'tool id' | 'capability id' | 'ledger date' | 'chain';
  readonly partitions: number;
  readonly cleanupPolicy: 'delete' | 'compact';
  /** Milliseconds; -1 keeps for ever. */
  readonly retentionMs: number;
  readonly events: readonly string[];
  readonly description: string;
}

const partitions = 24;
const dayMs = 86_400_000;

export const topicNames = {
  accounts: 'internal.identity.accounts.v1',
  securityLog: 'public.identity.security-log.v1',
  executions: 'internal.execution.executions.v1',
  searches: 'internal.registry.searches.v1',
  catalogue: 'internal.registry.catalogue.v1',
  verifications: 'internal.registry.verifications.v1',
  capabilities: 'internal.capability-routing.capabilities.v1',
  ledgerEntries: 'public.billing.ledger-entries.v1',
  usageSettlements: 'public.billing.usage-settlements.v1',
  balances: 'public.billing.balances.v1',
  ledgerRoots: 'public.billing.ledger-roots.v1',
  usageRecords: 'internal.billing.usage-records.v1',
} as const;

export type TopicName = (typeof topicNames)[keyof typeof topicNames];

export const topics: readonly TopicDefinition[] = [
  {
    name: topicNames.accounts,
    producer: 'identity',
    readers: ['billing', 'execution', 'gateway', 'registry'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: -1,
    events: [
      'AccountOpened',
      'ApiKeyIssued',
      'ApiKeyRevoked',
      'ApiKeyBudgetsChanged',
      'ApiKeyScopesGranted',
      'ApiKeyExpiryChanged',
      'ApiKeyProjectChanged',
      'ProjectCreated',
      'ProjectChanged',
      'AccountRegionChanged',
      'AccountStateChanged',
      'AccountRateLimitPlanChanged',
      'RateLimitPlanChanged',
      'RateLimitPlanRemoved',
      'AgentClaimRequested',
      'AgentClaimCodeRefused',
      'AgentClaimed',
      'OAuthClientRegistered',
      'OAuthClientRevoked',
      'OAuthTokenRevoked',
      'OAuthFamilyBegan',
      'OAuthFamilyRevoked',
      'ExternalSubjectLinked',
      'ExternalSubjectUnlinked',
      'AccountErased',
    ],
    description:
      'Accounts, their API keys and OAuth clients, and the rate-limit plans (keyed by their name). Never holds a key, a secret or the hash of one.',
  },
  {
    name: topicNames.securityLog,
    producer: 'identity',
    readers: ['auditors'],
    key: 'chain',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: -1,
    events: ['SecurityLogEntryRecorded'],
    description:
      'Every entry of the security log, chained by hashes and dense per chain by `entrySeq`; a chain is an account, or one of ' +
      'eight of the deployment. Addresses and names are in it as salted hashes alone. A contract: additive change only.',
  },
  {
    name: topicNames.executions,
    producer: 'execution',
    readers: ['billing', 'registry', 'capability-routing'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: 30 * dayMs,
    events: [
      'ExecutionStarted',
      'ExecutionCompleted',
      'ExecutionRefused',
      'ExecutionInterrupted',
      'ExecutionOutcomeRevised',
    ],
    description: 'The life of every execution: one start at most, exactly one end, and after it one revision at most.',
  },
  {
    name: topicNames.searches,
    producer: 'registry',
    readers: ['billing'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: 30 * dayMs,
    events: ['ToolsSearched', 'ToolsInspected'],
    description: 'Discover and Inspect requests, without their query texts.',
  },
  {
    name: topicNames.catalogue,
    producer: 'registry',
    readers: ['execution', 'capability-routing'],
    key: 'tool id',
    partitions,
    cleanupPolicy: 'compact',
    retentionMs: -1,
    events: ['ToolPublished', 'ToolRetired'],
    description: 'The current contract of every tool.',
  },
  {
    name: topicNames.verifications,
    producer: 'registry',
    readers: ['capability-routing'],
    key: 'tool id',
    partitions,
    cleanupPolicy: 'compact',
    retentionMs: -1,
    events: ['ToolVerificationRecorded'],
    description: 'What the last verification of every tool found; passed checks lapse a day after they were made.',
  },
  {
    name: topicNames.capabilities,
    producer: 'capability-routing',
    readers: [],
    key: 'capability id',
    partitions,
    cleanupPolicy: 'compact',
    retentionMs: -1,
    events: ['CapabilityPublished', 'CapabilityRetired'],
    description: 'The current contract of every capability (CAP).',
  },
  {
    name: topicNames.ledgerEntries,
    producer: 'billing',
    readers: ['finance'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: -1,
    events: ['LedgerEntryRecorded'],
    description: 'Every ledger entry, dense per account by `entrySeq`. A contract: additive change only.',
  },
  {
    name: topicNames.usageSettlements,
    producer: 'billing',
    readers: ['finance', 'billing', 'registry'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: -1,
    events: ['UsageSettled'],
    description:
      'One record per finished execution and billed search with its outcome and amounts, dense per account by `settlementSeq`; ' +
      '`sourceRefType` and `sourceRefId` name what was settled. A contract: additive change only.',
  },
  {
    name: topicNames.balances,
    producer: 'billing',
    readers: ['finance'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'compact',
    retentionMs: -1,
    events: ['AccountBalanceChanged'],
    description:
      'The current balance of every account and the `entrySeq` that it counts up to. A contract: additive change only.',
  },
  {
    name: topicNames.usageRecords,
    producer: 'billing',
    readers: ['billing'],
    key: 'account id',
    partitions,
    cleanupPolicy: 'delete',
    retentionMs: 30 * dayMs,
    events: ['ChargeRefunded', 'ModelCallImported'],
    description: 'What billing itself adds to the usage audit: refunds of charges and imported model calls.',
  },
  {
    name: topicNames.ledgerRoots,
    producer: 'billing',
    readers: ['finance', 'auditors'],
    key: 'ledger date',
    // One record a day: in one partition they stay in order.
    partitions: 1,
    cleanupPolicy: 'delete',
    retentionMs: -1,
    events: ['LedgerRootRecorded'],
    description:
      "One root a day over every account's chain of ledger entries, dense by `rootSeq`: keep a copy where whoever runs the " +
      'database cannot write. A contract: additive change only.',
  },
];

/** The topic to which a parked record of a consumer group is copied, for people. */
export const deadLetterTopic: TopicDefinition = {
  name: 'internal.platform.dead-letters.v1',
  producer: 'every consumer',
  readers: ['operators'],
  key: 'account id',
  partitions,
  cleanupPolicy: 'delete',
  retentionMs: 30 * dayMs,
  events: ['*'],
  description: 'Copies of records that a consumer could not handle and parked.',
};

/** Every topic that a broker of the deployment must have. */
export const allTopics: readonly TopicDefinition[] = [...topics, deadLetterTopic];

/** `wished`: partitions of each topic, where an operator says so. A topic of one partition is one because its records stay in order. */
export const partitionsOf = ({ partitions: own }: TopicDefinition, wished: number | undefined): number =>
  own === 1 ? own : (wished ?? own);

/** `name=value` of a topic's configuration on the broker. */
export function topicConfig(topic: TopicDefinition): Record<string, string> {
  return {
    'cleanup.policy': topic.cleanupPolicy,
    // On a compacted topic the last record of a key stays, whatever its age.
    'retention.ms': String(topic.cleanupPolicy === 'compact' ? -1 : topic.retentionMs),
  };
}

export const contexts = ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity'] as const;
export type ContextName = (typeof contexts)[number];
