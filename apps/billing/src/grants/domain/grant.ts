import type { AccountOpened, AgentClaimed } from '@capability-router/contracts';
import { creditsFromMicro, toIso, type AccountId, type Credits, type JsonObject } from '@capability-router/kernel';
import type { Movement } from '../../ledger/domain/entry.js';
import type { PostedBy } from '../../ledger/domain/entry-types.js';
import { metadataOfPaid, type MoneyPaid } from '../../ledger/domain/money-paid.js';
import { grantCategories, type GrantCategory } from './grant-categories.js';

/** A grant becomes one ledger entry and one lot. `grantRef` names it once and for all: a second one changes nothing. */
export interface Grant {
  readonly grantRef: string;
  readonly accountId: AccountId;
  readonly amount: Credits;
  readonly entryType: PostedBy<'grant'>;
  readonly category: string;
  readonly expiresAt: string | null;
  readonly sourceSystem: string;
  readonly description: string;
  readonly metadata: JsonObject;
  readonly effectiveAt: string;
}

/** A grant by an administrator. */
export interface GrantToAccount {
  readonly accountId: AccountId;
  readonly category: GrantCategory;
  readonly amount: Credits;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
  readonly reference?: string | undefined;
  /** Told of purchased credits alone. */
  readonly paid?: MoneyPaid | undefined;
  /** A correction in the customer's favour, rather than what the category says. */
  readonly correction?: true;
}

/** The grant that every account gets when it is opened. */
export function initialGrant(account: AccountOpened): Grant {
  const trial = account.grantCategory === 'trial';
  return {
    grantRef: `account-opened:${account.accountId}`,
    accountId: account.accountId as AccountId,
    amount: creditsFromMicro(BigInt(account.initialGrantMicroCredits)),
    entryType: 'grant_welcome_bonus',
    category: account.grantCategory,
    expiresAt: account.grantExpiresAt ?? null,
    sourceSystem: 'billing',
    description: trial ? 'Trial credits' : 'Welcome bonus',
    metadata: {},
    effectiveAt: account.openedAt,
  };
}

/** The welcome bonus of a trial that was claimed; its reference is the claim. */
export function claimBonus(claim: AgentClaimed): Grant {
  return {
    grantRef: claim.claimId,
    accountId: claim.accountId as AccountId,
    amount: creditsFromMicro(BigInt(claim.welcomeBonusMicroCredits)),
    entryType: 'grant_welcome_bonus',
    category: 'welcome_bonus',
    expiresAt: null,
    sourceSystem: 'billing',
    description: 'Welcome bonus',
    metadata: {},
    effectiveAt: claim.claimedAt,
  };
}

/** The grant that an administrator commands. `grantRef` names no other grant. */
export function grantOf(
  { accountId, category, amount, expiresAt, reference, paid, correction }: GrantToAccount,
  grantRef: string,
  nowMs: number,
): Grant {
  const { entryType, description } = grantCategories[category];
  return {
    grantRef,
    accountId,
    amount,
    entryType: correction === true ? 'grant_correction' : entryType,
    category,
    expiresAt: expiresAt === null ? null : toIso(Date.parse(expiresAt)),
    sourceSystem: 'admin',
    description: correction === true ? 'Correction' : description,
    metadata: {
      ...(reference === undefined ? {} : { reference }),
      ...(paid === undefined ? {} : metadataOfPaid(paid)),
    },
    effectiveAt: toIso(nowMs),
  };
}

/** The ledger's view of a grant. */
export function grantMovement(grant: Grant): Movement<PostedBy<'grant'>> {
  return {
    entryType: grant.entryType,
    sourceSystem: grant.sourceSystem,
    sourceRefType: 'grant',
    sourceRefId: grant.grantRef,
    executionId: null,
    description: grant.description,
    metadata: { ...grant.metadata, category: grant.category },
    preSettlementBill: null,
    settlementResult: null,
    effectiveAt: grant.effectiveAt,
  };
}
