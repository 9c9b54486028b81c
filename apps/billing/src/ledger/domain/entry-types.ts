import { ledgerEntryTypes, type LedgerEntryType } from '@capability-router/contracts';

/**
 * How an entry moves what is left of grants. `charge`: taken from all lots in burn order, for something that was used.
 * `burn`: taken from one lot or from all, for another reason. `lapse`: taken from a lot that has expired. `restore`:
 * given back into the lots that another entry took it from. `grant`: a lot of its own.
 */
export type PostingKind = 'charge' | 'burn' | 'lapse' | 'restore' | 'grant';

/** The traits of a type of entry that every reader and writer of the ledger has to know. */
export interface EntryTypeTraits {
  /** The sign of the entry's amount. */
  readonly sign: 1n | -1n;
  /** The ways in which it may be posted. */
  readonly postedBy: readonly PostingKind[];
  /** The narrowest of the specification's scopes of the ledger that shows it; `all` shows every type. */
  readonly scope: 'account_history' | 'all';
  /**
   * The command that undoes it. `refund`: a refund of the charge. `giving_back`: a correction above 0, into the lots
   * that it took from. `taking`: a correction below 0, from the lot that it made. `nothing`: no command.
   */
  readonly undoable: 'refund' | 'giving_back' | 'taking' | 'nothing';
  /** The kind of thing that a charge is for. Its ids begin with the prefix and an underscore. */
  readonly charges?: { readonly sourceRefType: string; readonly idPrefix: string };
  /** Money was paid for it, and can be returned. */
  readonly paid?: true;
}

/**
 * A new type does not compile until it stands here, and everything that tells types apart asks here: what posts them,
 * refunds and corrections, scopes, readiness, invariants.
 */
const traits = {
  grant_payment_recharge: {
    sign: 1n,
    postedBy: ['grant'],
    scope: 'account_history',
    undoable: 'taking',
    paid: true,
  },
  grant_welcome_bonus: { sign: 1n, postedBy: ['grant'], scope: 'all', undoable: 'taking' },
  grant_invitation_reward: { sign: 1n, postedBy: ['grant'], scope: 'all', undoable: 'taking' },
  grant_charge_refund: { sign: 1n, postedBy: ['restore'], scope: 'all', undoable: 'nothing' },
  grant_correction: { sign: 1n, postedBy: ['grant', 'restore'], scope: 'all', undoable: 'taking' },
  consume_tool_search: {
    sign: -1n,
    postedBy: ['charge'],
    scope: 'account_history',
    undoable: 'refund',
    charges: { sourceRefType: 'search', idPrefix: 'srch' },
  },
  consume_tool_execute: {
    sign: -1n,
    postedBy: ['charge'],
    scope: 'account_history',
    undoable: 'refund',
    charges: { sourceRefType: 'execution', idPrefix: 'exec' },
  },
  consume_model_call: {
    sign: -1n,
    postedBy: ['charge'],
    scope: 'account_history',
    undoable: 'refund',
    charges: { sourceRefType: 'import', idPrefix: 'imp' },
  },
  consume_payment_refund: { sign: -1n, postedBy: ['burn'], scope: 'all', undoable: 'giving_back' },
  consume_grant_expiry: { sign: -1n, postedBy: ['lapse'], scope: 'all', undoable: 'nothing' },
  consume_correction: { sign: -1n, postedBy: ['burn'], scope: 'all', undoable: 'giving_back' },
} as const satisfies Record<LedgerEntryType, EntryTypeTraits>;

export const traitsOf = (entryType: LedgerEntryType): EntryTypeTraits => traits[entryType];

/** The types that may be posted in this way. */
export type PostedBy<K extends PostingKind> = {
  [T in LedgerEntryType]: K extends (typeof traits)[T]['postedBy'][number] ? T : never;
}[LedgerEntryType];

/** In the order of the contract. */
export const entryTypesWhere = (matches: (traits: EntryTypeTraits) => boolean): readonly LedgerEntryType[] =>
  ledgerEntryTypes.filter((entryType) => matches(traits[entryType]));

/** Types of charges, with what they are for. */
export const chargeTypes: readonly {
  readonly entryType: LedgerEntryType;
  readonly sourceRefType: string;
  readonly idPrefix: string;
}[] = ledgerEntryTypes.flatMap((entryType) => {
  const { charges }: EntryTypeTraits = traits[entryType];
  return charges === undefined ? [] : [{ entryType, ...charges }];
});
