/** One grant in the model. Amounts are micro-credits. */
export interface ModelLot {
  /** Known where a command names it. */
  readonly grantId: string | undefined;
  readonly paid: boolean;
  readonly granted: bigint;
  remaining: bigint;
  readonly expiresAtMs: number | null;
  readonly grantedAtMs: number;
}

interface ModelHold {
  readonly amount: bigint;
  /** The day of the daily allowance that covers it. */
  readonly day: string | undefined;
}

/** A charge and what of each of its burns has not come back. */
export interface ModelCharge {
  readonly ref: string;
  readonly amount: bigint;
  readonly burns: { readonly lot: ModelLot; left: bigint }[];
}

/**
 * A model of what the books must say of one account, kept in plain numbers and by the rules as they are written for
 * people.
 */
export class AccountModel {
  /** In burn order: earliest expiry, then oldest. */
  readonly lots: ModelLot[] = [];
  readonly holds = new Map<string, ModelHold>();
  readonly charges: ModelCharge[] = [];
  private readonly allowances = new Map<string, { reserved: bigint; used: bigint }>();

  get balance(): bigint {
    return this.lots.reduce((sum, lot) => sum + lot.remaining, 0n);
  }

  get held(): bigint {
    return [...this.holds.values()].reduce((sum, hold) => sum + (hold.day === undefined ? hold.amount : 0n), 0n);
  }

  get available(): bigint {
    return this.balance - this.held;
  }

  grant(lot: Omit<ModelLot, 'remaining'>): void {
    if (lot.granted === 0n) return;
    this.lots.push({ ...lot, remaining: lot.granted });
    this.lots.sort((a, b) => {
      const [x, y] = [a.expiresAtMs ?? Infinity, b.expiresAtMs ?? Infinity];
      return x === y ? a.grantedAtMs - b.grantedAtMs : x - y;
    });
  }

  /** How a hold of this amount must be answered, and it is placed where it fits. */
  hold(id: string, amount: bigint, allowance?: { readonly day: string; readonly limit: bigint }): string {
    if (allowance !== undefined) {
      const taken = this.allowanceOf(allowance.day);
      if (taken.reserved + taken.used + amount <= allowance.limit) {
        taken.reserved += amount;
        this.holds.set(id, { amount, day: allowance.day });
        return 'covered';
      }
    }
    if (amount > this.available) return 'insufficient_credits';
    this.holds.set(id, { amount, day: undefined });
    return 'held';
  }

  /** A terminal event with a bill. What it leads to, and how many micro-credits lapsed with it. */
  end(id: string, bill: bigint, nowMs: number): { readonly outcome: string; readonly lapsed: bigint } {
    const hold = this.holds.get(id);
    this.holds.delete(id);
    if (hold === undefined) return { outcome: bill > 0n ? 'uncollected' : 'nothing', lapsed: 0n };
    const fits = bill <= hold.amount;
    if (hold.day !== undefined) {
      const taken = this.allowanceOf(hold.day);
      taken.reserved -= hold.amount;
      if (fits) taken.used += bill;
      return { outcome: !fits ? 'uncollected' : bill > 0n ? 'coveredEnd' : 'released', lapsed: 0n };
    }
    const charge = fits ? bill : 0n;
    if (charge > 0n) this.charge(id, charge);
    const lapsed = this.lapse(nowMs, hold.amount - charge);
    return { outcome: charge > 0n ? 'captured' : fits ? 'released' : 'uncollected', lapsed };
  }

  /** Swept: given back without a charge. */
  release(id: string): void {
    const hold = this.holds.get(id);
    this.holds.delete(id);
    if (hold?.day !== undefined) this.allowanceOf(hold.day).reserved -= hold.amount;
  }

  charge(ref: string, amount: bigint): void {
    this.charges.push({ ref, amount, burns: this.burn(this.lots, amount) });
  }

  burn(lots: readonly ModelLot[], amount: bigint): ModelCharge['burns'] {
    let open = amount;
    const burns: ModelCharge['burns'] = [];
    for (const lot of lots) {
      const taken = lot.remaining < open ? lot.remaining : open;
      if (taken === 0n) continue;
      lot.remaining -= taken;
      open -= taken;
      burns.push({ lot, left: taken });
    }
    if (open > 0n) throw new Error('the model burned more than there is');
    return burns;
  }

  /** Last burned, first given back. */
  refund({ burns }: ModelCharge, amount: bigint): void {
    let open = amount;
    for (const burn of [...burns].reverse()) {
      const back = burn.left < open ? burn.left : open;
      burn.left -= back;
      burn.lot.remaining += back;
      open -= back;
    }
    if (open > 0n) throw new Error('the model refunded more than was charged');
  }

  /** Expired lots lapse, up to `most` in all. */
  lapse(nowMs: number, most: bigint): bigint {
    let lapsed = 0n;
    for (const lot of this.lots) {
      if (lot.expiresAtMs === null || lot.expiresAtMs > nowMs) continue;
      const amount = lot.remaining < most - lapsed ? lot.remaining : most - lapsed;
      lot.remaining -= amount;
      lapsed += amount;
    }
    return lapsed;
  }

  /** As `readBooks` gives it. */
  describe(): string {
    const lots = this.lots.map((lot) => lot.remaining).join(',');
    const allowances = [...this.allowances].sort(([a], [b]) => (a < b ? -1 : 1));
    const taken = allowances.filter(([, { reserved, used }]) => reserved + used > 0n);
    const days = taken.map(([day, { reserved, used }]) => `${day}:${reserved}:${used}`).join(',');
    return `${this.balance} ${this.held} [${lots}] ${days}`;
  }

  private allowanceOf(day: string): { reserved: bigint; used: bigint } {
    const found = this.allowances.get(day) ?? { reserved: 0n, used: 0n };
    this.allowances.set(day, found);
    return found;
  }
}

/** Every account of a database as `AccountModel.describe` tells it. */
export const readBooksSql = `
SELECT b.account_id, b.balance_micro || ' ' || b.held_micro || ' [' || COALESCE(l.lots, '') || '] ' || COALESCE(a.days, '') AS books
  FROM account_balances b
  LEFT JOIN (SELECT account_id, string_agg(remaining_micro::text, ',' ORDER BY expires_at NULLS LAST, granted_at, lot_id) AS lots
               FROM credit_lots GROUP BY account_id) AS l USING (account_id)
  LEFT JOIN (SELECT account_id, string_agg(day || ':' || reserved_micro || ':' || used_micro, ',' ORDER BY day) AS days
               FROM daily_allowances WHERE reserved_micro + used_micro > 0 GROUP BY account_id) AS a USING (account_id)`;
