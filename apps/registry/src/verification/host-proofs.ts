import { PROVIDER_PROOF_PATH, type ProviderDefinition } from '@capability-router/contracts';
import { isJsonObject, type JsonValue } from '@capability-router/kernel';
import { classifyTransport, EgressClient, type EgressSettings } from '@capability-router/provider-kit';
import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { HostProof } from './domain/check-identity.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 65_536;
/** Providers that one host may name. */
const MAX_PROVIDERS = 100;

/** Asks hosts whose they are, through the guard by which the provider is called. */
@Injectable()
export class HostProofs {
  constructor(
    @Inject(CONFIG) private readonly config: { readonly sourceAccess: { readonly egress: EgressSettings } },
  ) {}

  /** By origin. Never rejects. */
  async ask(provider: ProviderDefinition, origins: readonly string[]): Promise<Map<string, HostProof>> {
    if (origins.length === 0) return new Map();
    const egress = new EgressClient(provider.egress ?? {}, {
      ...this.config.sourceAccess.egress,
      maxBodyBytes: MAX_BYTES,
    });
    try {
      const asked = origins.map(async (origin) => [origin, await this.proofOf(egress, origin)] as const);
      return new Map(await Promise.all(asked));
    } finally {
      await egress.destroy();
    }
  }

  private async proofOf(egress: EgressClient, origin: string): Promise<HostProof> {
    try {
      const request = { headers: { accept: 'application/json' }, deadlineMs: TIMEOUT_MS };
      const { status, body } = await egress.request(`${origin}${PROVIDER_PROOF_PATH}`, request);
      if (status !== 200) return { problem: `its well-known file is answered with ${status}` };
      return { providerIds: providerIdsIn(JSON.parse(body.toString('utf8')) as JsonValue) };
    } catch (error) {
      if (error instanceof SyntaxError) return { problem: 'its well-known file is no JSON' };
      const { message } = classifyTransport(error, () => undefined);
      return { problem: `its well-known file cannot be read (${message.replace(/\.$/, '')})` };
    }
  }
}

function providerIdsIn(value: JsonValue): string[] {
  const named = isJsonObject(value) ? value['provider_id'] : undefined;
  const ids = Array.isArray(named) ? named.slice(0, MAX_PROVIDERS) : [named];
  return ids.filter((id) => typeof id === 'string');
}
