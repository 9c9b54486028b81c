/** Count and sum of one group, e.g. of one entry type. */
export interface Tally {
  readonly count: number;
  /** Micro-credits. */
  readonly amount: bigint;
}

/** Control totals by group. */
export type Totals = ReadonlyMap<string, Tally>;

export function addTo(totals: Map<string, Tally>, group: string, amount: bigint, count = 1): void {
  const before = totals.get(group) ?? { count: 0, amount: 0n };
  totals.set(group, { count: before.count + count, amount: before.amount + amount });
}

export const totalsToJson = (totals: Totals): Record<string, { count: number; amount: string }> =>
  Object.fromEntries(
    [...totals]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, { count, amount }]) => [group, { count, amount: amount.toString() }]),
  );

export const totalsFromJson = (json: Readonly<Record<string, { count: number; amount: string }>>): Map<string, Tally> =>
  new Map(Object.entries(json).map(([group, { count, amount }]) => [group, { count, amount: BigInt(amount) }]));

export const sameTotals = (a: Totals, b: Totals): boolean =>
  JSON.stringify(totalsToJson(a)) === JSON.stringify(totalsToJson(b));

export interface LedgerSummary extends Readonly<Record<string, unknown>> {
  readonly entry_types: Readonly<Record<string, { readonly count: number; readonly amount_credits: string }>>;
}

/** The members of the ledger summary of the HTTP API that are sums, and those of each type; amounts in credits, as decimal strings. */
export function ledgerSummary(totals: Totals): LedgerSummary {
  const sum = (prefix: string): Tally =>
    [...totals].reduce(
      (all, [type, tally]) =>
        type.startsWith(prefix) ? { count: all.count + tally.count, amount: all.amount + tally.amount } : all,
      { count: 0, amount: 0n },
    );
  const [granted, consumed, all] = [sum('grant_'), sum('consume_'), sum('')];
  return {
    total_entries: all.count,
    consume_count: consumed.count,
    grant_count: granted.count,
    consumed_credits: credits(-consumed.amount),
    granted_credits: credits(granted.amount),
    net_amount_credits: credits(all.amount),
    entry_types: Object.fromEntries(
      [...totals]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([type, { count, amount }]) => [type, { count, amount_credits: credits(amount) }]),
    ),
  };
}

/** Exact: six decimals at most, none that are zeros at the end. */
export function credits(micro: bigint): string {
  const digits = (micro < 0n ? -micro : micro).toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
