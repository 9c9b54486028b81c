import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional } from 'class-validator';
import { apiKeyScopes, MAX_KEY_NAME_LENGTH } from '../api-keys/api-key.js';
import type { ApiKeyScope } from '../api-keys/api-key.js';
import { KeyBudgetsRequest } from './key-budgets.request.js';
import { PlainText } from '../plain-text.decorator.js';

/** Body of `POST /admin/v1/accounts/{id}/api-keys`. */
export class CreateApiKeyRequest extends KeyBudgetsRequest {
  @PlainText(1, MAX_KEY_NAME_LENGTH)
  readonly name: string;

  /** `call` and `read` where absent. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(apiKeyScopes.length)
  @ArrayUnique()
  @IsIn(apiKeyScopes, { each: true })
  readonly scopes?: readonly ApiKeyScope[] | null;
}
