import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import { pepperedHash } from '../email-addresses/peppered-hash.js';
import { WelcomeBonusRecord } from './welcome-bonus.entity.js';

const records = new Records([WelcomeBonusRecord]);

/**
 * True for the first time that a mailbox asks, ever; whoever asks for the same one at the same time waits. `canonical`: of
 * the address.
 */
export async function takeWelcomeBonus(
  tx: pg.ClientBase,
  pepper: string,
  canonical: string,
  nowMs: number,
): Promise<boolean> {
  const bonuses = await records.of(WelcomeBonusRecord, tx);
  const emailHash = pepperedHash(pepper, 'email-address', canonical);
  const inserted = await bonuses
    .createQueryBuilder()
    .insert()
    .values({ emailHash, grantedAt: new Date(nowMs) })
    .orIgnore()
    .returning('granted_at')
    .execute();
  return (inserted.raw as unknown[]).length === 1;
}
