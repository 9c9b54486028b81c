import type {
  AccountAssertion,
  VerifiedCredential,
  VerifyCredentialRequest,
  VerifyCredentialResponse,
} from '@capability-router/contracts';
import { CONFIG, jsonBody, postJson, type InternalTokens, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config/gateway-env.js';
import { GatewayMetrics } from '../metrics.js';
import { CLIENTS, TOKENS } from '../tokens.js';

const PATH = '/internal/credentials:verify';

/** Asks identity whose a credential is, and vouches for the account to the other services. */
@Injectable()
export class CredentialChecks {
  constructor(
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'identity'>,
    @Inject(TOKENS) private readonly tokens: InternalTokens,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(GatewayMetrics) private readonly metrics: GatewayMetrics,
  ) {}

  /**
   * `undefined`: the credential is not valid. Throws when identity cannot be reached, does not answer 200, or cannot tell
   * because the issuer of a token is away.
   */
  async verify(credential: string): Promise<VerifiedCredential | undefined> {
    const request: VerifyCredentialRequest = { credential };
    const { credentialTimeoutMs: timeoutMs } = this.config;
    const response = await postJson(this.clients.identity, PATH, request, { timeoutMs, repeatable: true });
    if (response.status !== 200) throw new Error(`identity answered ${response.status} to a credential check`);
    const answer = jsonBody<VerifyCredentialResponse>(response);
    if (!answer.valid && answer.undecided === true) throw new Error('the issuer of a token does not answer');
    this.metrics.credentialLookups.inc({ result: answer.valid ? 'valid' : 'refused' });
    return answer.valid ? answer : undefined;
  }

  sign(account: AccountAssertion): Promise<string> {
    return this.tokens.signAssertion(account);
  }
}
