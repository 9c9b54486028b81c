/** Names the credential that is wanted. */
export interface CredentialQuery {
  readonly providerId: string;
  /** The account whose credential is wanted, and never the deployment's in its place; the deployment's where absent. */
  readonly accountId?: string;
}

export interface ProviderCredential {
  /** `api_key`; `token`; `username`, `password`; `client_id`, `client_secret`: by the kind of `ProviderAuth`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Changes when a field changes, and differs between owners: what was derived from the old one is not used any more. */
  readonly version: string;
}

/** Port to the store that keeps credentials sealed. Asked for every call, so an answer is quick. */
export interface CredentialSource {
  find(query: CredentialQuery): Promise<ProviderCredential | undefined>;
}

/** A deployment without credentials: only providers that want none can be called. */
export const noCredentials: CredentialSource = { find: () => Promise.resolve(undefined) };

/** From memory: the deployment's by provider id, an account's by `provider/account`. */
export function credentialsInMemory(byProvider: Readonly<Record<string, ProviderCredential>>): CredentialSource {
  return {
    find: ({ providerId, accountId }) =>
      Promise.resolve(accountId === undefined ? byProvider[providerId] : byProvider[`${providerId}/${accountId}`]),
  };
}
