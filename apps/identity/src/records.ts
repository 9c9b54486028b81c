import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { AccountRecord } from './accounts/account.entity.js';
import { ApiKeyRecord } from './api-keys/api-key.entity.js';
import { TrialAgentRecord } from './trial-agents/trial-agent.entity.js';

const records = new Records([AccountRecord, ApiKeyRecord, TrialAgentRecord]);

export const accountsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<AccountRecord>> =>
  records.of(AccountRecord, db);
export const apiKeysIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<ApiKeyRecord>> =>
  records.of(ApiKeyRecord, db);
export const trialAgentsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<TrialAgentRecord>> =>
  records.of(TrialAgentRecord, db);
