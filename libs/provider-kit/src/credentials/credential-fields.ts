import type { ProviderAuth } from '@capability-router/contracts';

/** The fields of a credential, by the way in which a provider is shown it. */
export const credentialFields: Readonly<Record<ProviderAuth['kind'], readonly string[]>> = {
  none: [],
  api_key: ['api_key'],
  bearer: ['token'],
  basic: ['username', 'password'],
  oauth2_client_credentials: ['client_id', 'client_secret'],
};

/** Keeps out what could not be sent in a header. A password alone may be empty: some providers take a key as the user. */
export const isUsableField = (name: string, value: string | undefined): boolean =>
  value !== undefined && (name === 'password' ? /^[\x20-\x7e]*$/ : /^[\x20-\x7e]+$/).test(value);

/** Does a credential of these fields hold what `auth` needs? */
export const holdsAll = (auth: ProviderAuth, names: readonly string[]): boolean =>
  credentialFields[auth.kind].every((name) => names.includes(name));
