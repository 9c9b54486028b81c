import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { TrialAgentRecord } from './trial-agent.entity.js';

const records = new Records([TrialAgentRecord]);

export const trialAgentsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<TrialAgentRecord>> =>
  records.of(TrialAgentRecord, db);
