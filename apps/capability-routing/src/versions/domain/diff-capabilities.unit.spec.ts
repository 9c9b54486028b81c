import { describe, expect, it } from '@jest/globals';
import type { CapabilityManifest, Impact } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { sampleCapability } from '../../test-support/sample-capability.js';
import { diffCapabilities, MAX_CHANGES } from './diff-capabilities.js';

const resultOf = (properties: JsonObject, required: string[]): Partial<CapabilityManifest> => ({
  resultSchema: { type: 'object', required, properties },
});
const kilometres = { type: 'number', minimum: 0 };
const candidates = [{ toolId: 'a.b.c.v1' }, { toolId: 'd.e.f.v1', result: { x: { from: '$.y' } } }];

const diffOf = (before: Partial<CapabilityManifest>, after: Partial<CapabilityManifest>) =>
  diffCapabilities(sampleCapability(before), sampleCapability(after));

describe('the difference of two contracts of a capability', () => {
  it('is nothing between equal ones, whatever the order of members', () => {
    const shuffled = Object.fromEntries(Object.entries(sampleCapability()).reverse());
    const nothing = { breaking: false, changes: [], truncated: false };
    expect(diffCapabilities(sampleCapability(), { ...sampleCapability(), ...shuffled })).toEqual(nothing);
  });

  it.each<[string, Partial<CapabilityManifest>, Partial<CapabilityManifest>, [string, Impact][]]>([
    ['a name', {}, { name: { en: 'How far' } }, [['name', 'compatible']]],
    ['an example', {}, { sampleParameters: { from: 'Uri' } }, [['sample_parameters', 'compatible']]],
    ['a tag', {}, { tags: [{ id: 'geo' }] }, [['tags', 'compatible']]],
    [
      'another unit of a field',
      resultOf({ far: { ...kilometres, unit: 'km' } }, ['far']),
      resultOf({ far: { ...kilometres, unit: 'mi' } }, ['far']),
      [['result_schema.properties.far.unit', 'breaking']],
    ],
    [
      'the unit of a field that had none',
      resultOf({ far: kilometres }, ['far']),
      resultOf({ far: { ...kilometres, unit: 'km' } }, ['far']),
      [['result_schema.properties.far.unit', 'compatible']],
    ],
    [
      'a parameter that must be given now',
      {},
      { parametersSchema: { ...sampleCapability().parametersSchema, required: ['from', 'to'] } },
      [['parameters_schema.required', 'breaking']],
    ],
    [
      'a new field',
      resultOf({ km: kilometres }, ['km']),
      resultOf({ km: kilometres, method: { type: 'string' } }, ['km', 'method']),
      [
        ['result_schema.required', 'compatible'],
        ['result_schema.properties.method', 'compatible'],
      ],
    ],
    [
      'a field that need not be there any more',
      resultOf({ km: kilometres }, ['km']),
      resultOf({ km: kilometres }, []),
      [['result_schema.required', 'breaking']],
    ],
    [
      'a field that is gone',
      resultOf({ km: kilometres, note: { type: 'string' } }, ['km']),
      resultOf({ km: kilometres }, ['km']),
      [['result_schema.properties.note', 'breaking']],
    ],
    [
      'a wider type of a field',
      resultOf({ km: kilometres }, ['km']),
      resultOf({ km: { type: ['number', 'null'], minimum: 0 } }, ['km']),
      [['result_schema.properties.km.type', 'breaking']],
    ],
    [
      'a narrower type of a field',
      resultOf({ km: { type: ['number', 'null'] } }, ['km']),
      resultOf({ km: { type: 'number' } }, ['km']),
      [['result_schema.properties.km.type', 'compatible']],
    ],
    [
      'a bound that a result does not keep any more',
      resultOf({ km: kilometres }, ['km']),
      resultOf({ km: { type: 'number' } }, ['km']),
      [['result_schema.properties.km.minimum', 'breaking']],
    ],
    ['more done to the world', {}, { effect: 'idempotent' }, [['effect', 'breaking']]],
    ['less done to the world', { effect: 'unsafe' }, {}, [['effect', 'compatible']]],
    [
      'another tool',
      {},
      { candidates: [...sampleCapability().candidates, ...candidates.slice(0, 1)] },
      [['candidates.a.b.c.v1', 'compatible']],
    ],
    ['the order of tools', { candidates }, { candidates: [...candidates].reverse() }, []],
    [
      'no tool at all',
      { candidates: candidates.slice(0, 1) },
      { candidates: [] },
      [
        ['candidates.a.b.c.v1', 'compatible'],
        ['candidates', 'breaking'],
      ],
    ],
  ])('%s', (_name, before, after, changes) => {
    const diff = diffOf(before, after);
    expect(diff.changes.map(({ path, impact }) => [path, impact])).toEqual(changes);
    expect(diff.breaking).toBe(changes.some(([, impact]) => impact === 'breaking'));
    for (const { reason } of diff.changes) expect(reason).not.toBe('');
  });

  it('takes an effect that an older build did not tell for unsafe', () => {
    const { effect: _effect, ...older } = sampleCapability();
    expect(diffCapabilities(older, sampleCapability())).toMatchObject({ breaking: false });
    expect(diffCapabilities(sampleCapability(), older)).toMatchObject({ breaking: true });
  });

  it('shows the values as they were and as they are', () => {
    const diff = diffOf(resultOf({ km: kilometres }, []), resultOf({ km: { ...kilometres, minimum: 5 } }, []));
    expect(diff.changes).toMatchObject([{ kind: 'changed', before: 0, after: 5, impact: 'compatible' }]);
  });

  it('lists no more than its bound, and says so', () => {
    const fields = Object.fromEntries(Array.from({ length: MAX_CHANGES + 1 }, (_, at) => [`f${at}`, kilometres]));
    const diff = diffOf(resultOf(fields, []), resultOf({}, []));
    expect(diff).toMatchObject({ breaking: true, truncated: true });
    expect(diff.changes).toHaveLength(MAX_CHANGES);
  });
});
