import { DEFAULT_SCOPES, type ApiKeyScope } from '@capability-router/contracts';
import { Instant, lowerCaseUuid } from '@capability-router/service-kit';
import { IsOptional, IsUUID } from 'class-validator';
import { PlainText } from '../plain-text.decorator.js';
import { MAX_KEY_NAME_LENGTH } from './api-key.js';
import { KeyBudgetsRequest } from './key-budgets.request.js';
import { Scopes } from './scopes.decorator.js';

/** Body of `POST /admin/v1/accounts/{id}/api-keys`. */
export class CreateApiKeyRequest extends KeyBudgetsRequest {
  @PlainText(1, MAX_KEY_NAME_LENGTH)
  readonly name: string;

  /** Where absent `call` and `read`, and `manage` for the first key of an account. */
  @IsOptional()
  @Scopes()
  readonly scopes?: readonly ApiKeyScope[] | null;

  /** The project of the account that the key spends for; none where it is absent. */
  @IsOptional()
  @lowerCaseUuid()
  @IsUUID()
  readonly project_id?: string | null;

  /** From then on the key is not valid; it has no end where this is absent. */
  @IsOptional()
  @Instant()
  readonly expires_at?: string | null;
}

/** Body of `POST /auth/api-keys`. */
export class CreateOwnApiKeyRequest extends CreateApiKeyRequest {
  override readonly scopes: readonly ApiKeyScope[] = DEFAULT_SCOPES;
}
