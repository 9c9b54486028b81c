import type { ApiKeyScope } from '@capability-router/contracts';
import { IsOptional } from 'class-validator';
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
}
