import { afterAll, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@capability-router/kernel';
import { Expressions } from '../expressions/expressions.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import { judgeBindings } from './judge-bindings.js';
import { makeExamples } from './made-examples.js';
import { sampleTool } from './test-support/sample-tool.js';

const tool = sampleTool();
const result = { distance_km: { from: '$.km' } };
const candidate = { toolId: tool.toolId, parameters: { start: { from: '$.from' }, end: { from: '$.to' } }, result };
const judge = (over: Parameters<typeof sampleCapability>[0] = {}, tools = [tool]) =>
  judgeBindings(
    sampleCapability({ candidates: [candidate], ...over }),
    new Map(tools.map((one) => [one.toolId, one])),
    new Map(),
  );

describe('the bindings of a contract', () => {
  it('fit the version of the tool that they were held against', () => {
    expect(judge()).toEqual([{ toolId: tool.toolId, status: 'fits', toolVersion: 1, faults: [] }]);
  });

  it('do not fit where the tool refuses the example of the contract', () => {
    const [verdict] = judge({ sampleParameters: { from: 'B', to: 'Basel' } });
    expect(verdict).toMatchObject({ status: 'unfit', faults: [{ path: ['parameters', 'start'] }] });
    const [lacking] = judge({ sampleParameters: { from: 'Bern' } });
    expect(lacking).toMatchObject({ status: 'unfit', faults: [{ path: ['parameters', 'end'], type: 'missing' }] });
  });

  it('cannot be judged by a tool that is not known, and are unfit where the contract suffices to tell', () => {
    expect(judge({}, [])).toEqual([{ toolId: tool.toolId, status: 'unknown_tool', faults: [] }]);
    expect(judge({ candidates: [{ ...candidate, result: {} }] }, [])).toMatchObject([{ status: 'unfit' }]);
  });

  it.each<[string, JsonValue, readonly string[], RegExp]>([
    ['has another type in a place', { km: 'far' }, ['sample_result', 'km'], /geokit\..* does not allow it: .*number/],
    ['has a member that the tool does not have', { km: 1, miles: 2 }, ['sample_result', 'miles'], /does not allow it/],
    ['is no object', [1], ['sample_result'], /does not allow it: .*object/],
  ])('do not fit where the example of the result %s', (_what, sampleResult, path, why) => {
    const mapped = { ...candidate, result: { distance_km: { value: 1 } }, sampleResult };
    const faults = [{ path, msg: expect.stringMatching(why) }];
    expect(judge({ candidates: [mapped] })).toMatchObject([{ status: 'unfit', faults }]);
    expect(judge({ candidates: [mapped] }, [{ ...tool, resultSchema: null }])).toMatchObject([{ status: 'fits' }]);
  });

  it('do not fit a tool any more that has changed', () => {
    const next = { ...tool, version: 2, parametersSchema: { ...tool.parametersSchema, required: ['unit'] } };
    expect(judge({}, [next])).toMatchObject([
      { status: 'unfit', toolVersion: 2, faults: [{ path: ['parameters', 'unit'] }] },
    ]);
  });
});

describe('a binding with expressions', () => {
  const expressions = new Expressions({ error: () => undefined });
  afterAll(() => expressions.onApplicationShutdown());
  const endless = '($again := function() { $again() }; $again())';
  const written = {
    toolId: tool.toolId,
    parameters: { start: { jsonata: '$uppercase(from)' }, end: { from: '$.to' } },
    result: { distance_km: { jsonata: '$sum(legs.km)' } },
    sampleResult: { legs: [{ km: 60 }, { km: 35.5 }] },
  };
  const ofLegs = { ...tool, resultSchema: null };
  const judged = async (over: Partial<typeof written> = {}, tools = [ofLegs]) => {
    const capability = sampleCapability({ candidates: [{ ...written, ...over }] });
    const byId = new Map(tools.map((one) => [one.toolId, one]));
    const [verdict] = judgeBindings(capability, byId, await makeExamples(expressions, [capability]));
    return [verdict?.status, ...(verdict?.faults ?? []).map(({ path, msg }) => [path.join('.'), msg])];
  };

  it('fits where they make of both examples what the tool takes and the contract promises', async () => {
    expect(await judged()).toEqual(['fits']);
    expect(await judged({}, [])).toEqual(['unknown_tool']);
  });

  it.each<[string, Partial<typeof written>, string, RegExp]>([
    [
      'cannot be parsed',
      { parameters: { ...written.parameters, start: { jsonata: 'from &' } } },
      'parameters.start',
      /S0207/,
    ],
    [
      'makes what the tool refuses',
      { parameters: { ...written.parameters, start: { jsonata: '"B"' } } },
      'parameters.start',
      /refuses it/,
    ],
    [
      'makes nothing that the tool needs',
      { parameters: { ...written.parameters, start: { jsonata: 'nowhere' } } },
      'parameters.start',
      /refuses it/,
    ],
    ['does not fit the example of the result', { sampleResult: { legs: [] } }, 'result', /distance_km is missing/],
    [
      'makes a field of another type',
      { result: { distance_km: { jsonata: '$string(legs[0].km)' } } },
      'result',
      /distance_km is string, and not number/,
    ],
    [
      'never ends',
      { result: { distance_km: { jsonata: endless } } },
      'result.distance_km',
      /does not end within|too busy/,
    ],
  ])('does not fit where one %s', async (_what, over, path, why) => {
    expect(await judged(over)).toEqual(['unfit', [path, expect.stringMatching(why)]]);
  });

  it('waits for no more than one that never ends, however many a contract has', async () => {
    const result = { distance_km: { jsonata: endless } };
    const candidates = Array.from({ length: 30 }, (_, index) => ({
      ...written,
      toolId: `a.b.c.v${index + 1}`,
      result,
    }));
    expect((await makeExamples(expressions, [sampleCapability({ candidates })])).size).toBe(1);
  });
});
