import { Inject, Injectable } from '@nestjs/common';
import { DeviceCodeGrant } from '../device-codes/device-code.grant.js';
import { ClientCredentialsGrant } from '../tokens/client-credentials.grant.js';
import type { Grant } from '../tokens/grant.js';
import { TokenExchangeGrant } from '../tokens/delegation/token-exchange.grant.js';
import { RefreshTokenGrant } from '../tokens/refresh-token.grant.js';

/** Every way to get a token, by its name. */
@Injectable()
export class Grants {
  private readonly byType: ReadonlyMap<string, Grant>;

  constructor(
    @Inject(ClientCredentialsGrant) clientCredentials: ClientCredentialsGrant,
    @Inject(RefreshTokenGrant) refreshToken: RefreshTokenGrant,
    @Inject(DeviceCodeGrant) deviceCode: DeviceCodeGrant,
    @Inject(TokenExchangeGrant) tokenExchange: TokenExchangeGrant,
  ) {
    const grants: readonly Grant[] = [clientCredentials, refreshToken, deviceCode, tokenExchange];
    this.byType = new Map(grants.map((grant) => [grant.grantType, grant]));
  }

  get names(): readonly string[] {
    return [...this.byType.keys()];
  }

  of(grantType: string): Grant | undefined {
    return this.byType.get(grantType);
  }
}
