import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { RateLimitPlanRecord } from './rate-limit-plan.entity.js';

const records = new Records([RateLimitPlanRecord]);

export const rateLimitPlansIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<RateLimitPlanRecord>> =>
  records.of(RateLimitPlanRecord, db);
