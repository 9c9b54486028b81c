import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT, type OAuthGrantType } from '@capability-router/contracts';

/** How a client shows at the token endpoint who it is, as RFC 7591 names it; `none` makes it a public one. */
export const clientAuthMethods = ['client_secret_basic', 'none'] as const;
export type ClientAuthMethod = (typeof clientAuthMethods)[number];

/** Grants of a client that was registered without a list. */
export const defaultGrantTypes: Readonly<Record<ClientAuthMethod, readonly OAuthGrantType[]>> = {
  client_secret_basic: ['client_credentials'],
  none: [DEVICE_CODE_GRANT, 'refresh_token'],
};

/** Whoever shows nothing but a public id gets nothing without a person, and exchanges no token that it found: RFC 6749 §4.4. */
export const isGrantOf = (method: ClientAuthMethod, grantType: OAuthGrantType): boolean =>
  method !== 'none' || (grantType !== 'client_credentials' && grantType !== TOKEN_EXCHANGE_GRANT);

export const authMethodOf = ({ secretHash }: { readonly secretHash: Buffer | null }): ClientAuthMethod =>
  secretHash === null ? 'none' : 'client_secret_basic';
