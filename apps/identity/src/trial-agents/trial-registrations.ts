import { GroupCommit, GroupCommitFull, isOfSqlStateClass } from '@capability-router/event-store';
import { AppError } from '@capability-router/kernel';
import { CONFIG, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { GrantPolicy } from '../accounts/initial-grant.js';
import { newTrial, type NewTrial, type RegisterTrialAgent } from './new-trial.js';
import { registerTrials, type RegisterTrialAgentResult } from './register-trials.js';
import type { RegistrationPolicy } from './registration-caps.js';

/** Registrations of one transaction. */
const MAX_TRIALS_PER_TRANSACTION = 50;
/** Transactions at the same time: the second one takes what came while the first waits for its commit. */
const MAX_TRANSACTIONS = 2;
/** Registrations that wait to be written. */
const MAX_WAITING = 2_000;
/** SQLSTATE classes: data exception, integrity violation, transaction rollback (a deadlock). */
const faultsOfAnItem = ['22', '23', '40'];

/** Registers trial agents; those that come at the same time share a transaction. A lone one waits for nobody. */
@Injectable()
export class TrialRegistrations {
  private readonly policy: RegistrationPolicy & GrantPolicy;
  private readonly groups: GroupCommit<NewTrial, RegisterTrialAgentResult>;

  constructor(
    @Inject(POOL) pool: pg.Pool,
    @Inject(CONFIG) { policy }: { readonly policy: RegistrationPolicy & GrantPolicy },
  ) {
    this.policy = policy;
    this.groups = new GroupCommit<NewTrial, RegisterTrialAgentResult>({
      maxItems: MAX_TRIALS_PER_TRANSACTION,
      maxWrites: MAX_TRANSACTIONS,
      maxWaiting: MAX_WAITING,
      isFaultOfAnItem: (error) => isOfSqlStateClass(error, faultsOfAnItem),
      write: (trials) => registerTrials(pool, trials),
    });
  }

  /** @throws AppError 503 where too many wait, or others are faster time after time; then nothing was written. */
  async register(command: RegisterTrialAgent): Promise<RegisterTrialAgentResult> {
    try {
      return await this.groups.add(newTrial(command, this.policy));
    } catch (error) {
      if (!(error instanceof GroupCommitFull)) throw error;
      throw new AppError('service_unavailable', 'Too many agents register at the same time. Try again in a moment.', {
        cause: error,
      });
    }
  }
}
