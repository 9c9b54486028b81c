import { describe, expect, it } from '@jest/globals';
import type { CapabilityCandidate } from '@capability-router/contracts';
import { sampleCapability } from '../../test-support/sample-capability.js';
import { sampleTool } from '../test-support/sample-tool.js';
import { bindingFaults } from './check-binding.js';
import type { BoundTool } from './bound-tool.js';

/** `from` is required, `to` is not; `distance_km` is promised. */
const capability = sampleCapability();
const tool = sampleTool();
const fitting: CapabilityCandidate = {
  toolId: tool.toolId,
  parameters: { start: { from: '$.from' }, end: { from: '$.to' } },
  result: { distance_km: { from: '$.km' } },
};
const faultsOf = (over: Partial<CapabilityCandidate>, of: BoundTool | undefined = tool): [string, string][] =>
  bindingFaults(capability, { ...fitting, ...over }, of).map(({ path, msg }) => [path.join('.'), msg]);

describe('a binding', () => {
  it('fits where the tool gets what it needs and every promised field is made', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it('fits where what the tool needs is a constant, or has a default', () => {
    const parameters = { start: { value: 'Bern' }, end: { from: '$.to', default: 'Basel' } };
    expect(faultsOf({ parameters })).toEqual([]);
  });

  it.each<[string, Partial<CapabilityCandidate>, [string, RegExp][]]>([
    [
      'lacks a parameter that the tool needs',
      { parameters: { start: { from: '$.from' } } },
      [['parameters.end', /needs "end"/]],
    ],
    [
      'makes a parameter that the tool does not have',
      { parameters: { ...fitting.parameters, via: { value: 1 } } },
      [['parameters.via', /has no parameter "via"/]],
    ],
    [
      'reads a parameter that the capability does not have',
      { parameters: { ...fitting.parameters, start: { from: '$.origin.city' } } },
      [['parameters.start', /The capability has no parameter "origin"/]],
    ],
    ['lacks a promised field', { result: {} }, [['result.distance_km', /promises this field/]]],
    [
      'makes a field of another type',
      { result: { distance_km: { value: 'far' } } },
      [['result.distance_km', /distance_km is string, and not number/]],
    ],
    [
      'reads what the closed result of the tool does not have',
      { result: { distance_km: { from: '$.miles' } } },
      [['result.distance_km', /has no member "miles"/]],
    ],
  ])('does not fit where it %s', (_what, over, faults) => {
    const found = faultsOf(over);
    expect(found.map(([path]) => path)).toEqual(faults.map(([path]) => path));
    for (const [index, [, msg]] of found.entries()) expect(msg).toMatch(faults[index]?.[1] ?? /^$/);
  });

  it('without mappings, does not fit a tool of other names', () => {
    const { toolId } = tool;
    const bare = bindingFaults(capability, { toolId }, tool).map(({ path }) => path.join('.'));
    expect(bare).toEqual(['parameters', 'parameters', 'parameters.start', 'parameters.end', 'result.distance_km']);
    const alike = sampleTool({ parametersSchema: capability.parametersSchema, resultSchema: null });
    expect(bindingFaults(capability, { toolId }, alike)).toEqual([]);
  });

  it('gives the tool one of each group that it needs one of', () => {
    const either = {
      ...tool,
      parametersSchema: { ...tool.parametersSchema, required: ['start'] },
      oneOfRequired: [['end', 'via']],
    };
    expect(faultsOf({}, either)).toEqual([]);
    const parameters = { start: { from: '$.from' } };
    expect(faultsOf({ parameters }, either)).toEqual([['parameters', expect.stringContaining('one of: end, via')]]);
  });

  it('of a tool that is not known is held to what the contract alone tells', () => {
    expect(bindingFaults(capability, fitting, undefined)).toEqual([]);
    expect(bindingFaults(capability, { ...fitting, result: {} }, undefined)).toHaveLength(1);
  });

  it('reads own members only', () => {
    const result = { distance_km: { from: '$.km' }, constructor: { value: 1 } };
    expect(faultsOf({ result })).toEqual([]);
    expect(faultsOf({ result: { distance_km: { from: '$.constructor' } } })).toHaveLength(1);
  });
});
