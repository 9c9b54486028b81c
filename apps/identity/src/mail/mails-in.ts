import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { MailRecord } from './mail.entity.js';

const records = new Records([MailRecord]);

export const mailsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<MailRecord>> => records.of(MailRecord, db);
