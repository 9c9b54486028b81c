import { newApiKeyId } from '@capability-router/kernel';
import type pg from 'pg';
import { budgetsOfCredential, type Budget } from '../budgets/domain/budgets-of-credential.js';
import type { SeededRandom } from './random.js';

const MICRO_LIMITS = [2_000_000n, 6_000_000n, 15_000_000n];
const TOKENS = ['first', 'second'];
/** The empty one stands for none. */
const SESSIONS = ['task', 'other task', ''];

/** A model of what the counters of budgets must say, kept in plain numbers. */
export class BudgetModel {
  private readonly counters = new Map<string, { reserved: bigint; spent: bigint }>();
  private readonly keyOf = new Map<string, string>();

  constructor(private readonly random: SeededRandom) {}

  /**
   * Draws the budgets of one hold: often none; else those of the account's one key and of one of its delegation tokens,
   * whose limits change all the time.
   */
  draw(accountId: string, nowMs: number): readonly Budget[] {
    if (this.random.next() < 0.5) return [];
    const apiKeyId = this.keyOf.get(accountId) ?? newApiKeyId(nowMs);
    this.keyOf.set(accountId, apiKeyId);
    const limit = (): { limitMicroCredits: string } => ({
      limitMicroCredits: this.random.pick(MICRO_LIMITS).toString(),
    });
    const key = { ...limit(), period: this.random.pick(['total', 'day', 'day', 'month'] as const) };
    const delegation = { ...limit(), tokenId: `${accountId} ${this.random.pick(TOKENS)}` };
    const budgets = this.random.pick([
      { key },
      { session: limit() },
      { key, session: limit() },
      { delegation },
      { key, session: limit(), delegation },
    ]);
    return budgetsOfCredential({ apiKeyId, budgets }, this.random.pick(SESSIONS) || undefined, nowMs);
  }

  fits(budgets: readonly Budget[], amount: bigint): boolean {
    return budgets.every(({ budgetId, limit }) => {
      const { reserved, spent } = this.counterOf(budgetId);
      return reserved + spent + amount <= limit;
    });
  }

  reserve(budgets: readonly Budget[], amount: bigint): void {
    this.move(budgets, amount, 0n);
  }

  /** A hold ended, with or without a charge. */
  end(budgets: readonly Budget[], held: bigint, charge: bigint): void {
    this.move(budgets, -held, charge);
  }

  /** Rows as `read` gives them. */
  rows(): string[] {
    return [...this.counters].map(([id, { reserved, spent }]) => `${id} ${reserved} ${spent}`).sort();
  }

  static async read(pool: pg.Pool): Promise<string[]> {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT budget_id || ' ' || reserved_micro || ' ' || spent_micro AS row FROM budgets`,
    );
    return rows.map(({ row }) => row).sort();
  }

  private move(budgets: readonly Budget[], reserved: bigint, spent: bigint): void {
    for (const { budgetId } of budgets) {
      const before = this.counterOf(budgetId);
      this.counters.set(budgetId, { reserved: before.reserved + reserved, spent: before.spent + spent });
    }
  }

  private counterOf(budgetId: string) {
    return this.counters.get(budgetId) ?? { reserved: 0n, spent: 0n };
  }
}
