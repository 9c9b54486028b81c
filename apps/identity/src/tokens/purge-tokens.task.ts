import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL, repeatWhileFull } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeSigningKeys } from '../signing-keys/signing-keys.sql.js';
import { purgeTokens } from './oauth-tokens.sql.js';
import { purgeFamilies } from './refresh-families.sql.js';

const INTERVAL_MS = 3_600_000;
/** Milliseconds for which an ended token is kept. */
const KEPT_MS = 3_600_000;
const BATCHES = { rows: 1_000, statements: 100 };

@Injectable()
export class PurgeTokensTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Deletes tokens and families that have ended, and keys that no living token was signed with. */
  @Periodic({ name: 'purge of tokens', everyMs: INTERVAL_MS, atStart: true })
  async purge(): Promise<void> {
    const nowMs = this.clock.nowMs();
    await repeatWhileFull((limit) => purgeTokens(this.pool, new Date(nowMs - KEPT_MS), limit), BATCHES);
    await repeatWhileFull((limit) => purgeFamilies(this.pool, new Date(nowMs - KEPT_MS), limit), BATCHES);
    await purgeSigningKeys(this.pool, new Date(nowMs));
  }
}
