import type { AccountAssertion, CapabilityContract } from '@capability-router/contracts';
import { creditsFromMicro, isJsonObject, type Clock, type Credits, type JsonObject } from '@capability-router/kernel';
import { CLOCK, POOL } from '@capability-router/service-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { findContract } from '../contracts/capabilities.js';
import { findDeclaration } from '../declared/declared-capabilities.sql.js';
import { EvidenceCopy } from '../evidence/evidence-copy.js';
import { CapabilityIndex } from '../resolution/capability-index.js';
import type { Resolution } from '../resolution/resolve.js';
import { decideRoute } from '../routing/index.js';
import { findToolCopies } from '../tool-copies/tool-copies.js';
import { readCapabilityQuery, type CapabilityQuery } from './capability-query.request.js';
import { offersFor } from './offers.js';
import { planOf } from './plan-query.js';
import { PlansClient, type Asking } from './plans-client.js';
import { refusalAnswer, type QueryAnswer, type Refused } from './query-answer.js';
import {
  invalidQuery,
  nobodyServes,
  noSuchProvider,
  notResolved,
  toldMeant,
  unknownCapability,
  withoutContract,
  type LimitedBy,
  type QueryRefusal,
} from './refusals.js';
import { toldRouting } from './told-routing.js';

/** A query as it came. */
export interface AskedQuery extends Asking {
  readonly account: AccountAssertion;
  readonly body: unknown;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined;
}

/** One query, from request to answer: who can serve it is decided here, and execution runs what follows. */
@Injectable()
export class AnswerQuery {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(EvidenceCopy) private readonly evidence: EvidenceCopy,
    @Inject(CapabilityIndex) private readonly index: CapabilityIndex,
    @Inject(PlansClient) private readonly plans: PlansClient,
  ) {}

  async answer(asked: AskedQuery): Promise<QueryAnswer> {
    const startedMs = this.clock.nowMs();
    const read = readCapabilityQuery(asked.body);
    if (!read.ok) return this.refuse(asked, startedMs, invalidQuery(read.error));
    const { wanted } = read.value;
    const meant = 'query' in wanted ? this.index.resolve(wanted.query) : undefined;
    const capabilityId = 'query' in wanted ? meant?.resolved?.capabilityId : wanted.capabilityId;
    if (capabilityId === undefined) return this.refuse(asked, startedMs, notResolved(meant?.nearest ?? []));
    const contract = await findContract(this.pool, capabilityId);
    if (contract !== undefined) return this.route(asked, startedMs, { query: read.value, contract, meant });
    const isDeclared = (await findDeclaration(this.pool, capabilityId)) !== undefined;
    return this.refuse(asked, startedMs, (isDeclared ? withoutContract : unknownCapability)(capabilityId));
  }

  private async route(asked: AskedQuery, startedMs: number, { query, contract, meant }: Wanted): Promise<QueryAnswer> {
    const { parameters, constraints } = query;
    const { account, executionId, idempotencyKey } = asked;
    const faults = this.validator.check(checkedOf(contract), parameters);
    if (faults.length > 0) {
      const understood = meant === undefined ? {} : { routing: toldResolution(meant) };
      return this.refuse(asked, startedMs, invalidQuery(faults), { contract, ...understood });
    }
    const tools = await findToolCopies(
      this.pool,
      contract.candidates.map(({ toolId }) => toolId),
    );
    const evidenceOf = (toolId: string, providerId: string) => this.evidence.of(toolId, providerId);
    const offers = offersFor(contract, parameters, { tools, evidenceOf, region: account.region });
    const candidates = offers.map(({ candidate }) => candidate);
    const limit = limitOf(query, account);
    const request = { seed: executionId, ...constraints, ...(limit === undefined ? {} : { maxCredits: limit.amount }) };
    const decision = decideRoute(candidates, request);
    const routing = { ...toldResolution(meant), ...toldRouting(decision) };
    if (decision.chosen === undefined) {
      const isNobodyAsked = decision.excluded.length === 0 && decision.notAsked.length > 0;
      const refusal = isNobodyAsked
        ? noSuchProvider(candidates.map(({ providerId }) => providerId))
        : nobodyServes(decision, limit?.setBy);
      return this.refuse(asked, startedMs, refusal, { contract, parameters, routing });
    }
    const body = objectOf(asked.body);
    return this.plans.run(asked, planOf({ contract, query, offers, decision, request: body, idempotencyKey, routing }));
  }

  private async refuse(
    asked: AskedQuery,
    startedMs: number,
    refusal: QueryRefusal,
    found: Pick<Refused, 'contract' | 'parameters' | 'routing'> = {},
  ): Promise<QueryAnswer> {
    const { httpStatus, reasonCode, message, recordedMessage = message } = refusal;
    const request = objectOf(asked.body);
    const capabilityId = found.contract?.capabilityId ?? request['capability_id'];
    const { idempotencyKey } = asked;
    const bound = await this.plans.refuse(asked, {
      httpStatus,
      reasonCode,
      message: recordedMessage,
      request,
      ...(typeof capabilityId === 'string' ? { capabilityId } : {}),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    if (bound !== undefined) return bound;
    const elapsedMs = this.clock.nowMs() - startedMs;
    return refusalAnswer({ executionId: asked.executionId, elapsedMs, ...found }, refusal);
  }
}

/** A query whose capability is known. `meant`: where it was asked for in words. */
interface Wanted {
  readonly query: CapabilityQuery;
  readonly contract: CapabilityContract;
  readonly meant: Resolution | undefined;
}

/** How the words of a query were understood. */
function toldResolution(meant: Resolution | undefined): JsonObject {
  if (meant?.resolved === undefined) return {};
  return { resolution: { ...toldMeant(meant.resolved), nearest: meant.nearest.map(toldMeant) } };
}

const objectOf = (body: unknown): JsonObject => (isJsonObject(body) ? body : {});

/** The contract of the capability, as parameters are checked against. */
const checkedOf = ({ capabilityId, contractVersion, schemaHash, parametersSchema }: CapabilityContract) => ({
  toolId: capabilityId,
  version: contractVersion,
  schemaHash,
  parametersSchema,
  oneOfRequired: [],
});

/** What one query may cost at most, and who says so: the caller, where the credential allows as much. */
function limitOf(
  { maxCredits }: CapabilityQuery,
  { maxCallMicroCredits }: AccountAssertion,
): { readonly amount: Credits; readonly setBy: LimitedBy } | undefined {
  const allowed = maxCallMicroCredits === undefined ? undefined : creditsFromMicro(BigInt(maxCallMicroCredits));
  if (maxCredits !== undefined && (allowed === undefined || maxCredits <= allowed)) {
    return { amount: maxCredits, setBy: 'caller' };
  }
  return allowed === undefined ? undefined : { amount: allowed, setBy: 'credential' };
}
