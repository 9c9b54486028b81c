import type { AccountAssertion, ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer, ProviderFailure } from '@capability-router/provider-kit';
import { accept } from '../call/admission/accepted-call.js';
import { planOf, type Candidate, type Plan } from '../call/admission/domain/plan.js';
import { openPipeline, type OpenPipeline } from './open-pipeline.js';
import { toolContract } from './tool-contract.js';

const priced = (name: string, amountMicroCredits: string): ToolContract =>
  toolContract({
    toolId: `demo.weather.${name}.v1`,
    price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' },
  });
export const cheap = priced('cheap', '100000');
export const dear = priced('dear', '300000');
export const gratis = priced('gratis', '0');

export const served: ProviderAnswer = { kind: 'answered', data: { degrees: 21 } };
export const empty: ProviderAnswer = { kind: 'answered', data: [] };
/** With a status by which nobody knows whether the provider acted from 500 on, and by which it did not below. */
export const ofStatus = (statusCode: number): ProviderAnswer => ({
  kind: 'failed',
  fault: 'http_error',
  message: '',
  statusCode,
  retryable: true,
});
export const refused = ofStatus(422);
export const unheard: ProviderFailure = { kind: 'failed', fault: 'no_response', message: '', retryable: true };
export const notSent: ProviderAnswer = { kind: 'failed', fault: 'unavailable', message: 'It rests.', retryable: true };

/** Each tool of a plan with what its provider answers. */
export type Answered = readonly [ToolContract, ProviderAnswer];

export interface PlanLimits extends Partial<Pick<Plan, 'deadlineMs' | 'repeatable'>> {
  /** The p95 that is expected of each attempt. */
  readonly expectedMs?: readonly (number | undefined)[];
  /** The conditions that each result has to meet to serve; the tool's own where absent. */
  readonly result?: NonNullable<Candidate['result']>;
}

export interface RanPlan {
  readonly executionId: string;
  readonly body: JsonObject;
  readonly types: readonly string[];
  /** Data of the last event. */
  readonly end: JsonObject;
}

/** Plans that no route makes, whose providers answer as a test says. */
export interface PlannedAttempts {
  readonly pipeline: OpenPipeline;
  /** Tools whose providers were asked, in their order. */
  asked: string[];
  /** Points of a call at which a fault may strike, as they were reached. */
  reached: string[];
  /** Waited for before any answer. */
  beforeAnswer: (toolId: string, executionId: string) => Promise<unknown>;
  /** Which of the points that are reached throws; 0 = none. */
  breaksAt: number;
  /** Runs tools in this order. */
  run(tools: readonly [Answered, ...Answered[]], limits?: PlanLimits): Promise<RanPlan>;
  /** As it was at the start, but for what is on record. */
  reset(): void;
}

const assertion: AccountAssertion = {
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
};

export async function startPlannedAttempts(): Promise<PlannedAttempts> {
  let answers: Readonly<Record<string, ProviderAnswer>> = {};
  let executionId = newExecutionId(systemClock.nowMs());
  const provider = {
    async call({ toolId }: { readonly toolId: string }) {
      world.asked.push(toolId);
      await world.beforeAnswer(toolId, executionId);
      const answer = answers[toolId];
      if (answer === undefined) throw new Error(`nobody is to ask ${toolId}`);
      return answer;
    },
    close: () => Promise.resolve(),
  };
  const pipeline = await openPipeline(provider, (point) => {
    world.reached.push(point);
    if (world.reached.length === world.breaksAt) throw new Error('a fault of ours');
  });
  const world: PlannedAttempts = {
    pipeline,
    asked: [],
    reached: [],
    beforeAnswer: () => Promise.resolve(),
    breaksAt: 0,
    async run(tools, { expectedMs = [], result, ...limits } = {}) {
      answers = Object.fromEntries(tools.map(([{ toolId }, answer]) => [toolId, answer]));
      executionId = newExecutionId(systemClock.nowMs());
      const candidates = tools.map(([tool], position): Candidate => {
        const usual = expectedMs[position];
        return {
          position,
          tool,
          parameters: { city: 'Bern' },
          ...(usual === undefined ? {} : { expectedMs: usual }),
          ...(result === undefined ? {} : { result }),
        };
      });
      const most = { deadlineMs: 30_000, repeatable: false, ...limits };
      const plan = planOf({ executionId, assertion, partial: {} }, candidates, most);
      if (plan === undefined) throw new Error('the attempts are within the limits');
      const raw = { queryToolIds: [], cacheMode: undefined, body: { city: 'Bern' } };
      const wanted = { maxResponseBytes: undefined, projection: { kind: 'full' }, cacheMode: 'default' } as const;
      const call = accept({ executionId, assertion, assertionToken: '', raw }, systemClock.nowMs(), wanted, plan);
      const { body } = await pipeline.executeTool.run(call);
      const events = await readStream(pipeline.database.pool, executionId);
      const end = events.at(-1)?.data as JsonObject;
      return { executionId, body, types: events.map(({ type }) => type), end };
    },
    reset() {
      [world.asked, world.reached, world.breaksAt] = [[], [], 0];
      world.beforeAnswer = () => Promise.resolve();
      pipeline.billing.available = 10_000_000n;
      pipeline.billing.allowance = 0n;
      pipeline.billing.budgets = [];
      pipeline.billing.holds.length = 0;
      pipeline.billing.released.length = 0;
    },
  };
  return world;
}

/** The charge of an end. */
export const charged = (end: JsonObject) => (end['bill'] as JsonObject)['listAmountMicroCredits'];
