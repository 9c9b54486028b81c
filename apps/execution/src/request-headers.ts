import { internalHeaders } from '@capability-router/contracts';
import { AppError, isExecutionId, type ExecutionId } from '@capability-router/kernel';
import type { FastifyRequest } from 'fastify';

/** Minted by the gateway; a caller's own never gets this far. */
export function executionIdOf(request: FastifyRequest): ExecutionId {
  const id = headerOf(request, internalHeaders.executionId) ?? '';
  if (!isExecutionId(id)) throw new AppError('internal_error', 'The gateway sent no execution id.');
  return id;
}

/** The first of several of one name. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The trace context of a request, to be put into what is made of it. */
export const tracedBy = ({ traceparent }: FastifyRequest): { readonly traceparent?: string } =>
  traceparent === undefined ? {} : { traceparent };
