import { afterAll, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, type JsonValue } from '@capability-router/kernel';
import { JsonPathPool, type DispatchedAnswer } from '@capability-router/provider-kit';
import type { CachedResult } from '../../provider-cache/cached-result.js';
import { toolContract } from '../../test-support/tool-contract.js';
import { planOf, type Candidate } from '../admission/domain/plan.js';
import type { Answered } from '../dispatch/attempt-dispatch.js';
import { AttemptOutcome } from './attempt-outcome.js';

const jsonPaths = new JsonPathPool();
const outcome = new AttemptOutcome(jsonPaths);
afterAll(() => jsonPaths.close());

const assertion = { accountId: newAccountId(1), accountKind: 'formal', credentialType: 'api_key', scopes: [] } as const;
const degrees = {
  mapping: { degrees: { from: '$.t' } },
  fields: { degrees: { type: 'number', required: true } },
} as const;

function attempt(result?: NonNullable<Candidate['result']>) {
  const candidate = { position: 0, tool: toolContract(), parameters: {}, ...(result === undefined ? {} : { result }) };
  const subject = { executionId: newExecutionId(1), assertion, partial: {} };
  const plan = planOf(subject, [candidate], { deadlineMs: 1_000, repeatable: false });
  if (plan === undefined) throw new Error('a plan without limits has its attempt');
  return plan.attempts[0];
}

/** An answer of a provider, and what equal calls were told of it. */
function dispatched(answer: DispatchedAnswer, data: JsonValue) {
  const told: string[] = [];
  const share = (result: CachedResult | undefined): void => void told.push(result?.serialized.toString() ?? 'nothing');
  const answered: Answered = { kind: 'answered', answer, serialized: Buffer.from(JSON.stringify(data)), share };
  return { answered, told };
}

describe('equal calls that wait for the answer to an attempt', () => {
  it.each<[string, JsonValue, string]>([
    ['a valid result, as the tool gave it', { t: 21 }, '{"t":21}'],
    ['a result that does not fit what was asked for here', { t: 'warm' }, '{"t":"warm"}'],
    ['nothing of an empty one', [], 'nothing'],
  ])('are told once of %s', async (_what, data, expected) => {
    const { answered, told } = dispatched({ kind: 'answered', data }, data);
    await outcome.of(attempt(degrees), answered);
    expect(told).toEqual([expected]);
  });

  it('are let go where it cannot be judged, and run for themselves', async () => {
    const broken: DispatchedAnswer = {
      kind: 'answered',
      get data(): never {
        throw new Error('a fault of ours');
      },
    };
    const { answered, told } = dispatched(broken, {});
    await expect(outcome.of(attempt(), answered)).rejects.toThrow('a fault of ours');
    expect(told).toEqual(['nothing']);
  });
});
