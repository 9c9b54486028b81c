import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { ApiKeyRecord } from './api-key.entity.js';

const records = new Records([ApiKeyRecord]);

export const apiKeysIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<ApiKeyRecord>> =>
  records.of(ApiKeyRecord, db);
