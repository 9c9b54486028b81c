import { describe, expect, it } from '@jest/globals';
import { sampleCapability } from '../test-support/sample-capability.js';
import { judgeBindings } from './judge-bindings.js';
import { sampleTool } from './test-support/sample-tool.js';

const tool = sampleTool();
const result = { distance_km: { from: '$.km' } };
const candidate = { toolId: tool.toolId, parameters: { start: { from: '$.from' }, end: { from: '$.to' } }, result };
const judge = (over: Parameters<typeof sampleCapability>[0] = {}, tools = [tool]) =>
  judgeBindings(sampleCapability({ candidates: [candidate], ...over }), new Map(tools.map((one) => [one.toolId, one])));

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

  it('do not fit a tool any more that has changed', () => {
    const next = { ...tool, version: 2, parametersSchema: { ...tool.parametersSchema, required: ['unit'] } };
    expect(judge({}, [next])).toMatchObject([
      { status: 'unfit', toolVersion: 2, faults: [{ path: ['parameters', 'unit'] }] },
    ]);
  });
});
