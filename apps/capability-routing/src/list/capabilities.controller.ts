import { localized, negotiateLanguage, type Language } from '@capability-router/contracts';
import { AllowCallers, POOL, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Headers, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { declaredName } from '../declared/declared-name.js';
import { CapabilitiesQuery } from './capabilities.request.js';
import { listCapabilities, type KnownCapability } from './list-capabilities.sql.js';

export interface CapabilityItem {
  readonly capability_id: string;
  readonly name: string;
  readonly description: string;
  /** Absent, with the hash, for a capability that tools declare and that has no contract yet. */
  readonly contract_version?: number;
  readonly schema_hash?: string;
  /** Tools that its contract is bound to; 0 without a contract. */
  readonly candidate_count: number;
}

@Controller('api/v1/capabilities')
export class CapabilitiesController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Every id that the detail knows, by id. `total` counts all that fit, not only the page. */
  @Get()
  @AllowCallers('gateway')
  async list(
    @Query() raw: unknown,
    @Headers('accept-language') acceptLanguage: string | undefined,
  ): Promise<{ total: number; items: CapabilityItem[] }> {
    const query = requireValid(CapabilitiesQuery, raw, { allowUnknown: true, location: 'query' });
    const language = negotiateLanguage(query.lang, acceptLanguage);
    const words = (query.query ?? '').normalize('NFKC').toLowerCase().split(/\s+/u).filter(Boolean);
    const { skip, limit } = query;
    const { total, capabilities } = await listCapabilities(this.pool, { words, skip, limit });
    return { total, items: capabilities.map((capability) => toItem(capability, language)) };
  }
}

function toItem({ capabilityId, description, contract }: KnownCapability, language: Language): CapabilityItem {
  return {
    capability_id: capabilityId,
    name: contract === undefined ? declaredName(capabilityId) : localized(contract.name, language),
    description: localized(description, language),
    ...(contract === undefined ? {} : { contract_version: contract.contractVersion, schema_hash: contract.schemaHash }),
    candidate_count: contract?.candidateCount ?? 0,
  };
}
