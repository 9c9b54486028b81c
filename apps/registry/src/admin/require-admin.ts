import type { FastifyRequest } from 'fastify';
import { AppError } from '@capability-router/kernel';
import { accountOf } from '@capability-router/service-kit';

/** Throws `forbidden` unless the credential was issued with the scope `admin`. */
export function requireAdmin(request: FastifyRequest): void {
  if (!accountOf(request).scopes.includes('admin')) throw new AppError('forbidden');
}
