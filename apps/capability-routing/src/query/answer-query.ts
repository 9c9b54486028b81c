import type { AccountAssertion, CapabilityContract } from '@capability-router/contracts';
import { AppError, isJsonObject, type Clock, type JsonObject } from '@capability-router/kernel';
import { CLOCK, POOL } from '@capability-router/service-kit';
import { callLimitOf, ParameterValidator } from '@capability-router/tool-calls';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { KnownVerdicts } from '../bindings/known-verdicts.js';
import { findContract } from '../contracts/capabilities.js';
import { KnownContracts } from '../contracts/known-contracts.js';
import { findDeclaration } from '../declared/declared-capabilities.sql.js';
import { EvidenceCopy } from '../evidence/evidence-copy.js';
import { Expressions } from '../expressions/expressions.js';
import { CapabilityIndex } from '../resolution/capability-index.js';
import type { Resolution } from '../resolution/resolve.js';
import { decideRoute } from '../routing/index.js';
import { KnownTools } from '../tool-copies/known-tools.js';
import { VerificationCopy } from '../verifications/verification-copy.js';
import { readCapabilityQuery, type CapabilityQuery } from './capability-query.request.js';
import { requireDelegatedCandidate, requireDelegatedQuery } from './delegated-query.js';
import { offersFor } from './offers.js';
import { planOf } from './plan-query.js';
import { PlansClient, type Asking } from './plans-client.js';
import { refusalAnswer, type QueryAnswer, type Refused } from './query-answer.js';
import {
  invalidQuery,
  nobodyServes,
  noSuchProvider,
  notResolved,
  paymentRequired,
  toldMeant,
  unknownCapability,
  withoutContract,
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
  private readonly verdicts = new KnownVerdicts();

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ParameterValidator) private readonly validator: ParameterValidator,
    @Inject(EvidenceCopy) private readonly evidence: EvidenceCopy,
    @Inject(VerificationCopy) private readonly verifications: VerificationCopy,
    @Inject(CapabilityIndex) private readonly index: CapabilityIndex,
    @Inject(KnownContracts) private readonly contracts: KnownContracts,
    @Inject(KnownTools) private readonly tools: KnownTools,
    @Inject(Expressions) private readonly expressions: Expressions,
    @Inject(PlansClient) private readonly plans: PlansClient,
  ) {}

  /** Throws 403 for a query that its delegation token does not permit. */
  async answer(asked: AskedQuery): Promise<QueryAnswer> {
    const startedMs = this.clock.nowMs();
    const read = readCapabilityQuery(requireDelegatedQuery(asked.account, asked.body));
    if (!read.ok) return this.refuse(asked, startedMs, invalidQuery(read.error));
    if (asked.account.accountStatus === 'payment_required') return this.refuse(asked, startedMs, paymentRequired);
    const { wanted } = read.value;
    const meant = 'query' in wanted ? this.index.resolve(wanted.query) : undefined;
    const capabilityId = 'query' in wanted ? meant?.resolved?.capabilityId : wanted.capabilityId;
    if (capabilityId === undefined) return this.refuse(asked, startedMs, notResolved(meant?.nearest ?? []));
    // One that was published a moment ago may not be in memory yet.
    const contract = this.contracts.of(capabilityId) ?? (await readable(findContract(this.pool, capabilityId)));
    if (contract !== undefined) return this.route(asked, startedMs, { query: read.value, contract, meant });
    const isDeclared = (await readable(findDeclaration(this.pool, capabilityId))) !== undefined;
    return this.refuse(asked, startedMs, (isDeclared ? withoutContract : unknownCapability)(capabilityId));
  }

  private async route(asked: AskedQuery, startedMs: number, { query, contract, meant }: Wanted): Promise<QueryAnswer> {
    const { parameters, constraints } = query;
    const { account, executionId, idempotencyKey } = asked;
    const faults = this.validator.check(checkedOf(contract), parameters);
    if (faults.length > 0) {
      const understood = meant === undefined ? {} : { routing: toldResolution(meant) };
      return this.refuse(asked, startedMs, invalidQuery(faults, contract.parametersSchema), {
        contract,
        ...understood,
      });
    }
    const tools = await readable(this.tools.of(contract.candidates.map(({ toolId }) => toolId)));
    const verdictOn = this.verdicts.of.bind(this.verdicts);
    const evidenceOf = (toolId: string, providerId: string) => this.evidence.of(toolId, providerId, account.accountId);
    const verificationOf = (toolId: string, version: number) => this.verifications.of(toolId, version);
    const computed = await this.expressions.ofParameters(contract.candidates, parameters);
    const known = { tools, verdictOn, computed, evidenceOf, verificationOf, region: account.region };
    const offers = offersFor(contract, parameters, known);
    const candidates = offers.map(({ candidate }) => candidate);
    const limit = callLimitOf(account, query);
    const { delegation } = account;
    const request = {
      seed: executionId,
      ...constraints,
      ...(limit === undefined ? {} : { maxCredits: limit.amount }),
      ...(delegation === undefined ? {} : { delegation }),
    };
    requireDelegatedCandidate(candidates, request);
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

/** Without the database nothing is decided and nothing is run: the query may be asked again. */
const readable = <Value>(reading: Promise<Value>): Promise<Value> =>
  reading.catch((cause: unknown) => {
    throw new AppError('not_dispatched', undefined, { cause });
  });

const objectOf = (body: unknown): JsonObject => (isJsonObject(body) ? body : {});

/** The contract of the capability, as parameters are checked against. */
const checkedOf = ({ capabilityId, contractVersion, schemaHash, parametersSchema }: CapabilityContract) => ({
  toolId: capabilityId,
  version: contractVersion,
  schemaHash,
  parametersSchema,
  oneOfRequired: [],
});
