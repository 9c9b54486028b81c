import type { ProviderAuth } from '@capability-router/contracts';
import type { EgressClient } from '../egress/index.js';
import { classifyStatus } from '../faults/http-status.js';
import { classifyTransport } from '../faults/classify-transport.js';
import { failure, unsent, type ProviderFailure, type ProviderRequest } from '../provider-adapter.js';
import { AccessTokens, basicPair, TokenRefusedError } from './access-tokens.js';
import { credentialFields, holdsAll, isUsableField } from './credential-fields.js';
import type { CredentialSource, ProviderCredential } from './credential-source.js';
import { isRedactable, Secrets } from './secrets.js';
import { signInRequired } from './sign-in-required.js';

/** A request has to carry this, and the secrets must not come back. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly secrets: Secrets;
  /** Differs wherever the credential does; connections with a memory (sessions) are kept apart by it. */
  readonly identity: string;
  /** Forgets a token that the provider did not accept; true where a new one is worth a try. */
  readonly rejected: () => boolean;
}

type Owner = Pick<ProviderRequest, 'provider' | 'accountId'>;

/** Shows a provider who calls. Credentials are looked up for every call and kept nowhere here; tokens made of them are. */
export class Authorizer {
  private readonly tokens = new AccessTokens();

  constructor(
    private readonly source: CredentialSource,
    private readonly report: (error: unknown) => void,
  ) {}

  /** The credential that `auth` needs, whole; a refusal where whoever has to set it has not. */
  async credentialFor(
    auth: ProviderAuth,
    { provider, accountId }: Owner,
  ): Promise<ProviderCredential | ProviderFailure> {
    if (credentialFields[auth.kind].length === 0) return noCredential;
    const ofAccount = provider.credential === 'account';
    // Without an account there is nobody whose credential it could be.
    if (ofAccount && accountId === undefined) return signInRequired(provider, auth);
    let found: ProviderCredential | undefined;
    try {
      const { providerId } = provider;
      found = await this.source.find({ providerId, ...(ofAccount && accountId !== undefined ? { accountId } : {}) });
    } catch (error) {
      this.report(error);
      const message = 'The credentials of the provider could not be read. Retry later.';
      return unsent(failure('execution_failed', message, { retryable: true, ours: true }));
    }
    const { fields = {} } = found ?? {};
    const usable = Object.keys(fields).filter((name) => isUsableField(name, fields[name]));
    return found !== undefined && holdsAll(auth, usable) ? found : signInRequired(provider, auth);
  }

  /** A credential was replaced or deleted: what was got with it is dropped too. */
  forget(version: string): void {
    this.tokens.forgetAllOf(version);
  }

  async authorize(
    auth: ProviderAuth,
    credential: ProviderCredential,
    { provider }: Owner,
    egress: EgressClient,
  ): Promise<Authorization | ProviderFailure> {
    const { fields, version } = credential;
    const value = (field: string): string => fields[field] ?? '';
    const make = (headers: Record<string, string>, secrets: readonly string[], rest?: Partial<Authorization>) => ({
      headers,
      query: [],
      secrets: new Secrets(secrets),
      identity: version,
      rejected: () => false,
      ...rest,
    });
    switch (auth.kind) {
      case 'none':
        return make({}, []);
      case 'api_key': {
        const key = `${auth.prefix ?? ''}${value('api_key')}`;
        if (auth.in === 'header') return make({ [auth.name.toLowerCase()]: key }, [value('api_key')]);
        return make({}, [value('api_key')], { query: [[auth.name, key]] });
      }
      case 'bearer':
        return make({ authorization: `Bearer ${value('token')}` }, [value('token')]);
      case 'basic': {
        const pair = Buffer.from(`${value('username')}:${value('password')}`).toString('base64');
        // Where the password is empty, or hardly one, the user name is the secret.
        const secret = isRedactable(value('password')) ? value('password') : value('username');
        return make({ authorization: `Basic ${pair}` }, [pair, secret]);
      }
      case 'oauth2_client_credentials': {
        const { providerId } = provider;
        try {
          const { token, kept } = await this.tokens.get(providerId, auth, credential, egress);
          const rejected = (): boolean => {
            this.tokens.forget(providerId, auth, credential, token);
            return kept;
          };
          return make({ authorization: `Bearer ${token}` }, [token, ...clientSecrets(credential)], { rejected });
        } catch (error) {
          return this.explain(error, new Secrets(clientSecrets(credential)));
        }
      }
    }
  }

  private explain(error: unknown, secrets: Secrets): ProviderFailure {
    const report = (fault: unknown): void => this.report(secrets.redactError(fault));
    if (!(error instanceof TokenRefusedError)) return classifyTransport(error, report);
    // 400 is what RFC 6749 has for an unknown client or a scope that it may not have.
    if (error.status === undefined || error.status < 500) {
      report(error);
      return failure('auth_or_permission', 'The provider gave this deployment no access token.', { retryable: false });
    }
    return classifyStatus(error.status, {});
  }
}

const noCredential: ProviderCredential = { fields: {}, version: '' };

/** The secret, and the pair as it is sent to the token endpoint. */
const clientSecrets = ({ fields }: ProviderCredential): string[] => {
  const { client_id: id = '', client_secret: secret = '' } = fields;
  return [secret, basicPair(id, secret)];
};

export const isFailure = (value: object): value is ProviderFailure => 'kind' in value && value.kind === 'failed';
