import { AppError, type Clock } from '@capability-router/kernel';
import { CLOCK, LOGGER, messageOfDetails, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { ToolDirectory } from '../tool-copies/tool-directory.js';
import { fieldsByKind } from './credential-answers.js';
import { CredentialStore } from './credential-store.js';
import { checkFields, type CredentialFields } from './domain/check-fields.js';
import { accessOf, type ProviderAccess } from './domain/provider-access.js';

/** What the controllers of this slice are given. */
@Injectable()
export class CredentialsContext {
  constructor(
    @Inject(POOL) readonly pool: pg.Pool,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
    @Inject(CredentialStore) readonly store: CredentialStore,
    @Inject(ToolDirectory) readonly tools: ToolDirectory,
  ) {}
}

const PROVIDER_ID = /^[a-z][a-z0-9_-]{1,62}$/;

/** Throws `not_found` for what cannot be a provider's id. */
export function requireProviderId(providerId: string): string {
  if (!PROVIDER_ID.test(providerId)) throw new AppError('not_found');
  return providerId;
}

export const findAccess = ({ tools }: CredentialsContext, providerId: string): ProviderAccess | undefined =>
  accessOf(requireProviderId(providerId), tools.publishedBy(providerId));

/** Throws `not_found` where no tool of the provider is published. */
export function requireAccess(context: CredentialsContext, providerId: string): ProviderAccess {
  const access = findAccess(context, providerId);
  if (access !== undefined) return access;
  const message = `There is no provider "${providerId}" with a published tool. What was published a moment ago is known in a second.`;
  throw new AppError('not_found', message);
}

/** The fields of a body, whole for at least one way to sign in. Throws `validation_error`, which repeats no value. */
export function requireFields(access: ProviderAccess, body: unknown): CredentialFields {
  const checked = checkFields(body, fieldsByKind(access));
  if (checked.ok) return checked.value;
  throw new AppError('validation_error', messageOfDetails(checked.error), { details: checked.error });
}
