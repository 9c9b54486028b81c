import { ExactSum } from './exact-sum.js';
import { movements, movementsOf, signs, type BookableEntry, type MovementKind } from './lot-movements.js';

/** From `from` up to, and without, `before`; milliseconds since the epoch. */
export interface Period {
  readonly fromMs: number;
  readonly beforeMs: number;
}

type Amounts = Record<MovementKind | 'opening', bigint>;

/** Amounts of one period, and what they leave: `closing` is deferred. */
export type Lines<T> = Readonly<Record<'opening' | MovementKind | 'closing', T>>;

export interface Revenue {
  /** Entries up to the end of the period, and those of them that do not tell their lots, which no line holds. */
  readonly entries: number;
  readonly entriesWithoutLots: number;
  /** Sum of all entries up to the end of the period: micro-credits. */
  readonly ledger: bigint;
  /** Micro-credits by category, in the order of their names. */
  readonly credits: ReadonlyMap<string, Lines<bigint>>;
  /** By currency, in the order of their codes: millionths of its unit, each line a multiple of its smallest coin. */
  readonly money: ReadonlyMap<string, Lines<bigint> & { readonly rounding: bigint }>;
}

interface LotAccount {
  category: string;
  granted: bigint;
  paid?: { readonly millionths: bigint; readonly currency: string };
  readonly amounts: Amounts;
}

const MILLIONTHS = 6;
const zero = (): Amounts => ({
  opening: 0n,
  granted: 0n,
  used: 0n,
  refunded: 0n,
  expired: 0n,
  returned: 0n,
  corrected: 0n,
});

/**
 * Deferred, recognised and expired credits of one period, from the entries of the ledger from the first one on, in any
 * order and each once. An entry belongs to the period in which it was booked. Memory grows with the number of grants.
 */
export class RevenueBook {
  private readonly lots = new Map<string, LotAccount>();
  private entries = 0;
  private entriesWithoutLots = 0;
  private ledger = 0n;

  constructor(private readonly period: Period) {}

  add(entry: BookableEntry): void {
    const bookedMs = Date.parse(entry.createdAt);
    if (bookedMs >= this.period.beforeMs) return;
    this.entries += 1;
    this.ledger += BigInt(entry.amountMicroCredits);
    const moved = movementsOf(entry);
    if (moved === undefined) {
      this.entriesWithoutLots += 1;
      return;
    }
    for (const { lotId, category, amount, kind } of moved) {
      const lot = this.lotOf(lotId, category);
      if (bookedMs < this.period.fromMs) lot.amounts.opening += amount;
      else lot.amounts[kind] += signs[kind] * amount;
      if (kind !== 'granted') continue;
      lot.granted = amount;
      const { paidAmount, paidCurrency } = entry;
      if (paidAmount !== undefined && paidCurrency !== undefined) {
        lot.paid = { millionths: millionthsOf(paidAmount), currency: paidCurrency };
      }
    }
  }

  /** @param decimalsOf how many decimals a currency's smallest coin has: at most 6 */
  report(decimalsOf: (currency: string) => number): Revenue {
    const credits = new Map<string, Amounts>();
    const shares = new Map<string, Record<keyof Lines<unknown>, ExactSum>>();
    for (const { category, granted, paid, amounts } of this.lots.values()) {
      const sums = credits.get(category) ?? zero();
      credits.set(category, sums);
      for (const line of ['opening', ...movements] as const) sums[line] += amounts[line];
      if (paid === undefined) continue;
      const share = shares.get(paid.currency) ?? emptyShares();
      shares.set(paid.currency, share);
      const lines = withClosing(amounts);
      for (const line of allLines) share[line].add(paid.millionths * lines[line], granted);
    }
    return {
      entries: this.entries,
      entriesWithoutLots: this.entriesWithoutLots,
      ledger: this.ledger,
      credits: sorted(credits, withClosing),
      money: sorted(shares, (share, currency) => rounded(share, decimalsOf(currency))),
    };
  }

  private lotOf(lotId: string, category: string): LotAccount {
    const found = this.lots.get(lotId);
    if (found !== undefined) return found;
    const lot: LotAccount = { category, granted: 1n, amounts: zero() };
    this.lots.set(lotId, lot);
    return lot;
  }
}

const allLines = ['opening', ...movements, 'closing'] as const;

const emptyShares = (): Record<keyof Lines<unknown>, ExactSum> =>
  Object.fromEntries(allLines.map((line) => [line, new ExactSum()])) as Record<keyof Lines<unknown>, ExactSum>;

function closingOf(amounts: Amounts): bigint {
  return movements.reduce((sum, kind) => sum + signs[kind] * amounts[kind], amounts.opening);
}

const withClosing = (amounts: Amounts): Lines<bigint> => ({ ...amounts, closing: closingOf(amounts) });

/** Each line is rounded once, and so is the next period's opening, which is this closing: `rounding` makes them meet. */
function rounded(
  share: Record<keyof Lines<unknown>, ExactSum>,
  decimals: number,
): Lines<bigint> & { rounding: bigint } {
  const coin = 10n ** BigInt(MILLIONTHS - decimals);
  const lines = Object.fromEntries(allLines.map((line) => [line, share[line].roundedTo(coin) * coin])) as Record<
    keyof Lines<unknown>,
    bigint
  >;
  return { ...lines, rounding: lines.closing - closingOf(lines) };
}

function sorted<T, U>(map: ReadonlyMap<string, T>, view: (value: T, key: string) => U): Map<string, U> {
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, view(value, key)]));
}

function millionthsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(MILLIONTHS, '0'));
}
