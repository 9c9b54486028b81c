import { creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import type pg from 'pg';
import type { GrantCategory } from '../grants/domain/grant-categories.js';
import { readCredits } from './credits.sql.js';

const credits = (micro: string | undefined): number => creditsToNumber(creditsFromMicro(BigInt(micro ?? '0')));

/** Data of `GET /auth/credits`: what can still be spent, what open holds reserve, and what is left per category. */
export async function creditsView(pool: pg.Pool, accountId: string): Promise<Record<string, unknown>> {
  const row = await readCredits(pool, accountId);
  const lots = row?.lots ?? [];
  const balance = BigInt(row?.balances?.balance ?? '0');
  const held = BigInt(row?.balances?.held ?? '0');
  const byCategory = new Map(lots.map((row) => [row.category, row]));
  const category = (name: GrantCategory): { remaining: number; total: number } => ({
    remaining: credits(byCategory.get(name)?.remaining),
    total: credits(byCategory.get(name)?.granted),
  });
  const welcome = category('welcome_bonus');
  // All of them, so that what is shown adds up to the balance.
  const categories: Readonly<Record<GrantCategory, object>> = {
    invite_reward: category('invite_reward'),
    welcome_bonus: { remaining: welcome.remaining, initial: welcome.total },
    purchased: category('purchased'),
    trial: category('trial'),
  };
  const nextExpiry = lots
    .flatMap((row) => (row.next_expiry === null ? [] : new Date(row.next_expiry).toISOString()))
    .sort()[0];
  return {
    remaining_credits: credits((balance - held).toString()),
    held_credits: credits(held.toString()),
    daily_free: { remaining: 0, total: 0 },
    ...categories,
    ...(nextExpiry === undefined ? {} : { next_expiry: nextExpiry }),
  };
}
