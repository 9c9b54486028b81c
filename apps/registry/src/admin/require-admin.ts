import type { FastifyRequest } from 'fastify';
import { accountOf, requireScope } from '@capability-router/service-kit';

/** Throws `insufficient_scope` unless the credential was issued with the scope `admin`. */
export function requireAdmin(request: FastifyRequest): void {
  requireScope(accountOf(request), 'admin');
}
