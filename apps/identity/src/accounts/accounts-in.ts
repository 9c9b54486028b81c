import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { AccountRecord } from './account.entity.js';

const records = new Records([AccountRecord]);

export const accountsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<AccountRecord>> =>
  records.of(AccountRecord, db);
