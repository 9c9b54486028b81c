import { Records } from '@capability-router/service-kit';
import type pg from 'pg';
import type { Repository } from 'typeorm';
import { ProjectRecord } from './project.entity.js';

const records = new Records([ProjectRecord]);

export const projectsIn = (db: pg.Pool | pg.ClientBase): Promise<Repository<ProjectRecord>> =>
  records.of(ProjectRecord, db);
