import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { OAuthClientRecord } from './oauth-client.entity.js';

const records = new Records([OAuthClientRecord]);

export const oauthClientsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<OAuthClientRecord>> =>
  records.of(OAuthClientRecord, db);
