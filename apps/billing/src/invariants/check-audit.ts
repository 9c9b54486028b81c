import type pg from 'pg';
import { listViolations, type InvariantViolation } from './check-invariants.js';
import { auditInvariants } from './audit-invariants.sql.js';

/**
 * The audit against the money, over the whole database. Only where the audit has caught up: a row that has yet to come
 * is a violation here. An empty list is a sound audit.
 */
export function checkAudit(pool: pg.Pool): Promise<InvariantViolation[]> {
  return listViolations(pool, auditInvariants);
}
