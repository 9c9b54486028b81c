import { API_PREFIX } from '@capability-router/contracts';
import { AllowCallers } from '@capability-router/service-kit';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import type { JWK } from 'jose';
import { PUBLISHED_KEYS_MAX_AGE_SECONDS, SigningKeys } from './signing-keys.js';

/** The keys by which anybody can verify access tokens. */
@Controller(`${API_PREFIX}/oauth`)
export class PublishedKeysController {
  constructor(@Inject(SigningKeys) private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Header('cache-control', `public, max-age=${PUBLISHED_KEYS_MAX_AGE_SECONDS}`)
  @AllowCallers('gateway')
  async published(): Promise<{ readonly keys: readonly JWK[] }> {
    return { keys: await this.keys.published() };
  }
}
