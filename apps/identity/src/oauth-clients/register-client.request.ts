import { oauthGrantTypes, oauthScopes, type OAuthGrantType, type OAuthScope } from '@capability-router/contracts';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, Matches } from 'class-validator';
import { clientAuthMethods, type ClientAuthMethod } from './client-kinds.js';
import { PlainText } from '../plain-text.decorator.js';

/** Characters. */
const MAX_CLIENT_NAME_LENGTH = 80;

/** Body of `POST /admin/v1/oauth-clients`. */
export class RegisterClientRequest {
  @Matches(/^acc_[0-9a-f]{32}$/, { message: 'account_id must be the id of an account' })
  readonly account_id: string;

  @PlainText(1, MAX_CLIENT_NAME_LENGTH)
  readonly name: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(oauthScopes.length)
  @ArrayUnique()
  @IsIn(oauthScopes, { each: true })
  readonly scopes: OAuthScope[];

  /** `none` makes a public client, which has no secret. */
  @IsOptional()
  @IsIn(clientAuthMethods)
  readonly token_endpoint_auth_method: ClientAuthMethod = 'client_secret_basic';

  /** Those of its kind where they are absent. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(oauthGrantTypes.length)
  @ArrayUnique()
  @IsIn(oauthGrantTypes, { each: true })
  readonly grant_types?: OAuthGrantType[] | null;
}
