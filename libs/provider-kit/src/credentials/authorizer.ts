import type { ProviderAuth } from '@capability-router/contracts';
import type { EgressClient } from '../egress/index.js';
import { classifyStatus } from '../faults/http-status.js';
import { classifyTransport } from '../faults/classify-transport.js';
import { failure, type ProviderFailure, type ProviderRequest } from '../provider-adapter.js';
import { AccessTokens, TokenRefusedError } from './access-tokens.js';
import type { CredentialSource, ProviderCredential } from './credential-source.js';
import { Secrets } from './secrets.js';

/** What a request has to carry, and what must not come back. */
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

  /** The credential that `auth` needs, whole; a refusal where the deployment has none. */
  async credentialFor(
    auth: ProviderAuth,
    { provider, accountId }: Owner,
  ): Promise<ProviderCredential | ProviderFailure> {
    const needed = fieldsOf[auth.kind];
    if (needed.length === 0) return noCredential;
    const { providerId } = provider;
    let found: ProviderCredential | undefined;
    try {
      found = await this.source.find({ providerId, ...(accountId === undefined ? {} : { accountId }) });
    } catch (error) {
      this.report(error);
      return failure('execution_failed', 'The credentials of the provider could not be read. Retry later.', {
        retryable: true,
      });
    }
    if (found !== undefined && needed.every((field) => isUsable(found.fields[field]))) return found;
    return failure(
      'signin_required',
      `No credentials for the provider "${providerId}" are set in this deployment. Ask its operator, or choose another tool.`,
      { retryable: false },
    );
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
        return make({ authorization: `Basic ${pair}` }, [pair, value('password')]);
      }
      case 'oauth2_client_credentials': {
        const { providerId } = provider;
        try {
          const { token, kept } = await this.tokens.get(providerId, auth, credential, egress);
          const rejected = (): boolean => {
            this.tokens.forget(providerId, auth, credential, token);
            return kept;
          };
          return make({ authorization: `Bearer ${token}` }, [token, value('client_secret')], { rejected });
        } catch (error) {
          return this.explain(error);
        }
      }
    }
  }

  private explain(error: unknown): ProviderFailure {
    if (!(error instanceof TokenRefusedError)) return classifyTransport(error, this.report);
    // 400 is what RFC 6749 has for an unknown client or a scope that it may not have.
    if (error.status === undefined || error.status < 500) {
      this.report(error);
      return failure('auth_or_permission', 'The provider gave this deployment no access token.', { retryable: false });
    }
    return classifyStatus(error.status, {});
  }
}

const fieldsOf: Readonly<Record<ProviderAuth['kind'], readonly string[]>> = {
  none: [],
  api_key: ['api_key'],
  bearer: ['token'],
  basic: ['username', 'password'],
  oauth2_client_credentials: ['client_id', 'client_secret'],
};

const noCredential: ProviderCredential = { fields: {}, version: '' };

/** Also keeps out what could not be sent in a header. */
const isUsable = (value: string | undefined): boolean => value !== undefined && /^[\x20-\x7e]+$/.test(value);

export const isFailure = (value: object): value is ProviderFailure => 'kind' in value && value.kind === 'failed';
