import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import type pg from 'pg';

/** One statement, so that the parts add up to the balance whatever moves meanwhile. */
const creditsSql = `
SELECT (SELECT json_build_object('balance', balance_micro::text, 'held', held_micro::text)
          FROM account_balances WHERE account_id = $1) AS balances,
       (SELECT json_agg(lot) FROM (
          SELECT category, sum(granted_micro)::text AS granted, sum(remaining_micro)::text AS remaining,
                 min(expires_at) FILTER (WHERE remaining_micro > 0) AS next_expiry
            FROM credit_lots WHERE account_id = $1 GROUP BY category) AS lot) AS lots`;

interface LotRow {
  readonly category: string;
  readonly granted: string;
  readonly remaining: string;
  /** ISO 8601. */
  readonly next_expiry: string | null;
}

const credits = (micro: string | undefined): number => creditsToNumber(creditsFromMicro(BigInt(micro ?? '0')));

/** Data of `GET /auth/credits`: what can still be spent, what open holds reserve, and what is left per category. */
export async function creditsView(pool: pg.Pool, accountId: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<{
    balances: { balance: string; held: string } | null;
    lots: readonly LotRow[] | null;
  }>(creditsSql, [accountId]);
  const lots = rows[0]?.lots ?? [];
  const balance = BigInt(rows[0]?.balances?.balance ?? '0');
  const held = BigInt(rows[0]?.balances?.held ?? '0');
  const byCategory = new Map(lots.map((row) => [row.category, row]));
  const category = (name: string): { remaining: number; total: number } => ({
    remaining: credits(byCategory.get(name)?.remaining),
    total: credits(byCategory.get(name)?.granted),
  });
  const welcome = category('welcome_bonus');
  const nextExpiry = lots
    .flatMap((row) => (row.next_expiry === null ? [] : new Date(row.next_expiry).toISOString()))
    .sort()[0];
  return {
    remaining_credits: credits((balance - held).toString()),
    held_credits: credits(held.toString()),
    daily_free: { remaining: 0, total: 0 },
    invite_reward: category('invite_reward'),
    welcome_bonus: { remaining: welcome.remaining, initial: welcome.total },
    purchased: category('purchased'),
    trial: category('trial'),
    ...(nextExpiry === undefined ? {} : { next_expiry: nextExpiry }),
  };
}

export async function availableMicroCredits(pool: pg.Pool, accountId: string): Promise<string> {
  const { rows } = await pool.query<{ available: string }>({
    name: 'available-credits',
    text: 'SELECT (balance_micro - held_micro)::text AS available FROM account_balances WHERE account_id = $1',
    values: [accountId],
  });
  return rows[0]?.available ?? '0';
}
