import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import type pg from 'pg';

const balanceSql = `SELECT balance_micro, held_micro FROM account_balances WHERE account_id = $1`;
const lotsSql = `
SELECT category, sum(granted_micro)::bigint AS granted, sum(remaining_micro)::bigint AS remaining,
       min(expires_at) FILTER (WHERE remaining_micro > 0) AS next_expiry
  FROM credit_lots WHERE account_id = $1 GROUP BY category`;

interface LotRow {
  readonly category: string;
  readonly granted: string;
  readonly remaining: string;
  readonly next_expiry: Date | null;
}

const credits = (micro: string | undefined): number => creditsToNumber(creditsFromMicro(BigInt(micro ?? '0')));

/** Data of `GET /auth/credits`: what can still be spent, what open holds reserve, and what is left per category. */
export async function creditsView(pool: pg.Pool, accountId: string): Promise<Record<string, unknown>> {
  const [balances, lots] = await Promise.all([
    pool.query<{ balance_micro: string; held_micro: string }>(balanceSql, [accountId]),
    pool.query<LotRow>(lotsSql, [accountId]),
  ]);
  const balance = BigInt(balances.rows[0]?.balance_micro ?? '0');
  const held = BigInt(balances.rows[0]?.held_micro ?? '0');
  const byCategory = new Map(lots.rows.map((row) => [row.category, row]));
  const category = (name: string): { remaining: number; total: number } => ({
    remaining: credits(byCategory.get(name)?.remaining),
    total: credits(byCategory.get(name)?.granted),
  });
  const welcome = category('welcome_bonus');
  const nextExpiry = lots.rows
    .map((row) => row.next_expiry?.toISOString())
    .filter((at) => at !== undefined)
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
