import { usageEventTypes, outcomes, reasonCodes, chargeOutcomes } from '../reason-codes.js';
import {
  ledgerEntryTypes,
  settlementStatuses,
  type AccountBalanceChanged,
  type LedgerEntryRecorded,
  type LedgerRootRecorded,
  type UsageSettled,
} from '../events/billing.js';
import type { SecurityLogEntryRecorded } from '../events/security-log.js';
import { topicNames } from '../topics.js';
import { always, eventSchema, sometimes, type EventSchema, type JsonSchema } from './event-schema.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const instant = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });
/** An open set: a reader takes values that it does not know. */
const oneOfKnown = (description: string, examples: readonly string[]): JsonSchema => ({
  type: 'string',
  description: `${description} More values may be added.`,
  examples,
});
const amount = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,18})$',
  description: `${description} Micro-credits.`,
});
const signedAmount = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^-?[1-9][0-9]{0,18}$',
  description: `${description} Micro-credits.`,
});
const denseSequence = (description: string): JsonSchema => ({ type: 'integer', minimum: 1, description });
const sha256 = (description: string): JsonSchema => ({ type: 'string', pattern: '^[0-9a-f]{64}$', description });
const entryId = (description: string): JsonSchema => ({ type: 'string', pattern: '^led_[0-9a-f]{32}$', description });
const accountId = text('The account; also the key of the record.');

const ledgerEntryRecorded = eventSchema<LedgerEntryRecorded>(
  topicNames.ledgerEntries,
  'LedgerEntryRecorded',
  'One row of the ledger: a signed movement of the balance of an account. It never changes; a correction is another entry.',
  {
    entryId: always(entryId('The entry; unique.')),
    accountId: always(accountId),
    entrySeq: always(denseSequence('Dense per account, from 1: a number that is missing is an entry that is missing.')),
    entryType: always({
      ...oneOfKnown('`grant_…` adds, `consume_…` takes away.', ledgerEntryTypes),
      pattern: '^(grant|consume)_[a-z_]+$',
    }),
    amountMicroCredits: always(signedAmount('Signed; never 0.')),
    balanceBeforeMicroCredits: always(amount('Of the account, before this entry.')),
    balanceAfterMicroCredits: always(amount('Of the account, after this entry.')),
    sourceSystem: always(text('The service whose fact led to the entry.')),
    sourceRefType: always(text('What `sourceRefId` is, e.g. `execution`, `search`, `grant`.')),
    sourceRefId: always(text('The fact that led to the entry; with `sourceRefType` the key to join settlements by.')),
    executionId: sometimes(text('Exactly where `sourceRefType` is `execution`, and then equal to `sourceRefId`.')),
    description: always(text('For people.')),
    metadata: always({ type: 'object', description: 'More about the source; its members depend on `entryType`.' }),
    effectiveAt: always(instant('When what is booked happened.')),
    createdAt: always(instant('When it was booked.')),
    previousHash: always(sha256('`hash` of the entry before it in the account; 64 zeros at the first.')),
    hash: always(sha256('Over the canonical row and `previousHash`.')),
    lots: sometimes(
      text(
        'JSON text: an array of `{lot_id, category, amount_micro_credits}`, one for each grant that the entry took from (below 0), gave back to or ' +
          'made (above 0), in the order in which they are burned. The amounts add up to that of the entry. A lot has the id of the entry that ' +
          'granted it. Absent on records of older builds.',
      ),
    ),
    paidAmount: sometimes({
      type: 'string',
      pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?$',
      description: 'Of a grant whose price was told: the money that was paid, in units of `paidCurrency`.',
    }),
    paidCurrency: sometimes({
      type: 'string',
      pattern: '^[A-Z]{3}$',
      description: 'Exactly where `paidAmount` is: the currency, as in ISO 4217.',
    }),
    projectId: sometimes(text('The project of the account that a charge, or the refund of one, is counted for.')),
  },
);

const usageSettled = eventSchema<UsageSettled>(
  topicNames.usageSettlements,
  'UsageSettled',
  'One finished call, billed search or imported model call, with its outcome and what it cost.',
  {
    sourceRefType: sometimes(
      oneOfKnown('What was settled. Absent on records of the first builds: see `executionId` and `searchId`.', [
        'execution',
        'search',
        'import',
      ]),
    ),
    sourceRefId: sometimes(text('What was settled: equals `sourceRefId` of its ledger entry.')),
    executionId: sometimes(text('Exactly where an execution was settled.')),
    usageEventId: always({ type: 'string', format: 'uuid', description: 'The row of the usage audit.' }),
    accountId: always(accountId),
    accountKind: sometimes(oneOfKnown('What the account was when it called.', ['formal', 'trial'])),
    projectId: sometimes(text('The project of the account that it is counted for.')),
    settlementSeq: always(
      denseSequence('Dense per account, from 1: a number that is missing is a settlement that is missing.'),
    ),
    eventType: always(oneOfKnown('What was called.', usageEventTypes)),
    toolId: sometimes(text('As the caller gave it.')),
    searchId: sometimes(text('Of a search, itself; of a call, the search that its caller says led to it.')),
    success: always(flag('The call succeeded.')),
    outcome: sometimes(oneOfKnown('How an execution ended.', outcomes)),
    reasonCode: always(oneOfKnown('Why it ended so.', reasonCodes)),
    chargeOutcome: sometimes(oneOfKnown('What the audit says of the charge, at settlement.', chargeOutcomes)),
    status: always({
      type: 'string',
      enum: settlementStatuses,
      description:
        '`settled`: charged. `uncollected`: it cost something that could not be collected. `not_applicable`: nothing to charge.',
    }),
    audited: sometimes({ const: false, description: 'False of a call that was answered 503: it did not run.' }),
    requestedMicroCredits: always(amount('What the call costs by its frozen price.')),
    settledMicroCredits: always(amount('What was charged; equals the ledger entry, without its sign.')),
    coveredMicroCredits: sometimes(amount('What the daily free allowance took in place of a charge.')),
    ledgerEntryId: sometimes(entryId('Exactly where `settledMicroCredits` is above 0.')),
    effectiveAt: always(instant('When the call ended.')),
    settledAt: always(instant('When it was settled.')),
    // New members come last: files of the finance consumer have their columns in this order.
    providerId: sometimes(text('The provider of the tool, of a call whose tool was found.')),
    apiKeyId: sometimes({ type: 'string', format: 'uuid', description: 'The key that called.' }),
    oauthClientId: sometimes(text('The OAuth client whose access token called, where no key did.')),
    sessionId: sometimes(text('The session, as the caller named it.')),
  },
);

const accountBalanceChanged = eventSchema<AccountBalanceChanged>(
  topicNames.balances,
  'AccountBalanceChanged',
  'The balance of an account after its entry `entrySeq`. The topic is compacted: the last record of a key is the current balance.',
  {
    accountId: always(accountId),
    balanceMicroCredits: always(
      amount('The sum of the entries up to `entrySeq`; what open holds reserve is part of it.'),
    ),
    entrySeq: always(denseSequence('Of the last entry that is counted: how far the ledger of the account goes.')),
    entryId: always(entryId('That entry.')),
    asOf: always(instant('`createdAt` of that entry.')),
  },
);

const ledgerRootRecorded = eventSchema<LedgerRootRecorded>(
  topicNames.ledgerRoots,
  'LedgerRootRecorded',
  'What all chains of the ledger add up to at a cut, once a day: a copy of it shows whether the ledger was rewritten since.',
  {
    rootSeq: always(denseSequence('Dense from 1: a number that is missing is a root that is missing.')),
    ledgerDate: always({
      type: 'string',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'The UTC day that had ended; also the key of the record.',
    }),
    version: always({ type: 'integer', minimum: 1, description: 'Of the encoding that is hashed.' }),
    cut: always({
      type: 'string',
      pattern: '^[0-9]{1,19}$',
      description: "The first place in billing's commit order that the root does not cover.",
    }),
    accounts: always({ type: 'integer', minimum: 0, description: 'Accounts that have entries before the cut.' }),
    entries: always({ type: 'integer', minimum: 0, description: 'Entries before the cut.' }),
    balanceMicroCredits: always(amount('The sum of all accounts at the cut.')),
    merkleRoot: always(
      sha256('The Merkle tree hash of RFC 9162 over one leaf per account, in the order of account ids.'),
    ),
    previousHash: always(sha256('`hash` of the root before it; 64 zeros at the first.')),
    hash: always(sha256('Over the canonical JSON of all members above.')),
    computedAt: always(instant('When it was computed.')),
  },
);

const securityLogEntryRecorded = eventSchema<SecurityLogEntryRecorded>(
  topicNames.securityLog,
  'SecurityLogEntryRecorded',
  'One entry of the security log. It never changes. `hash` is the SHA-256 of the RFC 8785 form of an object with all members that ' +
    'are named here but `hash`, those that the record lacks being null: whoever reads the topic can follow every chain by it alone.',
  {
    entryId: always({ type: 'string', format: 'uuid', description: 'The entry; unique.' }),
    chain: always(
      text('The account that it happened to, or `deployment/<n>` where it concerns none; also the key of the record.'),
    ),
    entrySeq: always(denseSequence('Dense per chain, from 1: a number that is missing is an entry that is missing.')),
    action: always(
      oneOfKnown('What was done.', ['key.revoked', 'account.suspended', 'claim.verified', 'request.forbidden']),
    ),
    accountId: sometimes(text('The account that it happened to. Absent where it concerns the whole deployment.')),
    actorType: always(oneOfKnown('Who did it.', ['account', 'operator', 'anonymous', 'system'])),
    actorAccountId: sometimes(text('The account whose credential was used.')),
    actorApiKeyId: sometimes(text('The key that was used.')),
    actorClientId: sometimes(text('The OAuth client whose token was used.')),
    credentialType: sometimes(text('The kind of credential that was used.')),
    objectType: sometimes(oneOfKnown('What `objectId` is.', ['account', 'api_key', 'oauth_client', 'route'])),
    objectId: sometimes(text('What it was done to.')),
    reason: sometimes(text('A code. More values may be added.')),
    occurrences: always(denseSequence('How often it happened; above 1 where refusals were counted together.')),
    requestId: sometimes(text('The request that did it. Absent where its caller chose the id.')),
    detailsHash: sometimes(
      sha256(
        'SHA-256 of a salt, a full stop and the RFC 8785 form of what stands beside the log: addresses and names. The salt is never published, and ' +
          'is erased with them.',
      ),
    ),
    recordedAt: always(instant('When it was recorded, with milliseconds.')),
    previousHash: always(sha256('`hash` of the entry before it in the chain; 64 zeros at the first.')),
    hash: always(sha256('Over all members above, `previousHash` among them.')),
  },
);

/** The schemas of all events on `public.*` topics. `docs/schemas`, the AsyncAPI document and the tests come from here. */
export const publicEventSchemas: readonly EventSchema[] = [
  ledgerEntryRecorded,
  usageSettled,
  accountBalanceChanged,
  ledgerRootRecorded,
  securityLogEntryRecorded,
];
