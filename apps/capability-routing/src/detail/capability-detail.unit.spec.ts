import { describe, expect, it } from '@jest/globals';
import { planPublication } from '../contracts/domain/plan-publication.js';
import { hashCapability } from '../contracts/hash-capability.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import type { VerificationCopy } from '../verifications/verification-copy.js';
import { toCapabilityDetail } from './capability-detail.js';
import { standingOf } from './capability-standing.js';

const hashed = hashCapability(sampleCapability());

const noTools: Pick<VerificationCopy, 'shown' | 'dataAsOf'> = {
  shown: () => {
    throw new Error('no tool serves it');
  },
  dataAsOf: () => undefined,
};
const standing = standingOf(sampleCapability(), new Map(), noTools, undefined);

describe('detail of a capability', () => {
  const contract = { ...sampleCapability(), contractVersion: 2, schemaHash: hashed.schemaHash };

  it('names the contract, its params and the fields of its result', () => {
    expect(toCapabilityDetail(contract, 'en', standing, 12.5)).toEqual({
      capability_id: 'geo.distance',
      name: 'Distance',
      description: 'Distance between two places.',
      contract_version: 2,
      schema_hash: hashed.schemaHash,
      params: [
        { name: 'from', type: 'string', required: true, minLength: 1 },
        { name: 'to', type: 'string', required: false },
      ],
      field_spec: { distance_km: { type: 'number', required: true, description: 'Kilometres.', minimum: 0 } },
      examples: { sample_parameters: { from: 'Bern', to: 'Basel' } },
      effect: 'read_only',
      ...standing,
      remaining_credits: 12.5,
    });
  });

  it('tells the unit and the meaning of a field, the types of one that may be null, and tags', () => {
    const described = sampleCapability({
      resultSchema: {
        type: 'object',
        required: ['distance_km', 'sunset'],
        properties: {
          distance_km: { type: 'number', minimum: 0, description: 'Along the surface.', unit: 'km' },
          sunset: { type: ['string', 'null'], description: 'Null where it does not set.' },
          value: { description: 'Anything.' },
        },
      },
      tags: [{ id: 'geo', name: 'Geography' }],
    });
    expect(toCapabilityDetail({ ...contract, ...described }, 'en', standing, undefined)).toMatchObject({
      field_spec: {
        distance_km: { type: 'number', required: true, description: 'Along the surface.', unit: 'km', minimum: 0 },
        sunset: { type: ['string', 'null'], required: true, description: 'Null where it does not set.' },
        value: { type: 'any', required: false, description: 'Anything.' },
      },
      tags: [{ id: 'geo', name: 'Geography' }],
    });
  });

  it('says nothing of the effect and has no example, where the contract is of an older build', () => {
    const { effect: _effect, sampleParameters: _sample, ...older } = contract;
    const detail = toCapabilityDetail(older, 'en', standing, undefined);
    expect(detail.examples).toEqual({});
    expect(detail).not.toHaveProperty('effect');
  });

  it('leaves unknown credits out, and speaks Chinese where there is a text', () => {
    const detail = toCapabilityDetail(contract, 'zh', standing, undefined);
    expect(detail).toMatchObject({ name: '距离', description: 'Distance between two places.' });
    expect(detail).not.toHaveProperty('remaining_credits');
  });
});

describe('publication of a capability', () => {
  it('begins with version 1, goes on with each change and with nothing else', () => {
    const known = { contractVersion: 4, source: 'builtin' as const, retired: false };
    const published = (schemaHash: string) => new Map([['geo.distance', { ...known, schemaHash }]]);
    expect(planPublication([hashed], new Map())).toMatchObject([{ contractVersion: 1 }]);
    expect(planPublication([hashed], published('other'))).toMatchObject([{ contractVersion: 5 }]);
    expect(planPublication([hashed], published(hashed.schemaHash))).toEqual([]);
  });

  it('leaves alone what an administrator has written or retired', () => {
    const known = { contractVersion: 4, schemaHash: 'other', source: 'builtin' as const, retired: false };
    for (const decided of [{ source: 'manifest' as const }, { retired: true }]) {
      expect(planPublication([hashed], new Map([['geo.distance', { ...known, ...decided }]]))).toEqual([]);
    }
  });

  it('has a schema hash that does not depend on the order of members', () => {
    const shuffled = Object.fromEntries(Object.entries(sampleCapability()).reverse());
    expect(hashCapability({ ...sampleCapability(), ...shuffled }).schemaHash).toBe(hashed.schemaHash);
    expect(hashed.schemaHash).toMatch(/^[0-9a-f]{64}$/);
  });
});
