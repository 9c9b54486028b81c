import { describe, expect, it } from '@jest/globals';
import { sampleSource, sampleTool } from '../../test-support/sample-catalogue.js';
import { planTool, type HashedTool, type LiveTool, type Proposal } from './plan-tool.js';
import { resolveTools } from './resolve-tool.js';

const [tool] = resolveTools(sampleSource());
if (tool === undefined) throw new Error('the sample has a tool');
const { toolId } = tool;
const hashed: HashedTool = { tool, schemaHash: 's', contractHash: 'c' };
const live = (over: Partial<LiveTool> = {}): LiveTool => ({
  toolId,
  source: 'sample',
  status: 'published',
  version: 3,
  schemaHash: 's',
  contractHash: 'c',
  eventSequence: 5,
  ...over,
});
const proposal = (over: Partial<Proposal> = {}): Proposal => ({
  toolId,
  source: 'sample',
  status: 'quarantined',
  contractHash: 'c',
  ...over,
});

describe('publication', () => {
  it('begins with version 1', () => {
    expect(planTool(hashed, 'sample', 'publish', {})).toMatchObject({
      result: 'created',
      planned: { contract: { version: 1, schemaHash: 's' }, status: 'published', eventSequence: 1 },
    });
  });

  it('leaves an unchanged tool alone, whatever is meant by it', () => {
    for (const intent of ['publish', 'draft', 'quarantine'] as const) {
      expect(planTool(hashed, 'sample', intent, { live: live() })).toEqual({ kind: 'keep', result: 'unchanged' });
    }
  });

  it('gives a changed contract the next version, and says which it replaces', () => {
    expect(planTool(hashed, 'sample', 'publish', { live: live({ contractHash: 'other' }) })).toMatchObject({
      result: 'changed',
      planned: { contract: { version: 4 }, eventSequence: 6, replaces: 3 },
    });
  });

  it('brings a retired tool back as it was under its version, and changed under the next', () => {
    const retired = live({ status: 'retired', retiredBy: 'source' });
    expect(planTool(hashed, 'sample', 'publish', { live: retired })).toMatchObject({
      result: 'restored',
      planned: { contract: { version: 3 }, eventSequence: 6 },
    });
    const changed = { ...retired, contractHash: 'other' };
    expect(planTool(hashed, 'sample', 'publish', { live: changed })).toMatchObject({
      planned: { contract: { version: 4 }, replaces: 3 },
    });
  });

  it('never brings back what an operator retired, and keeps its next contract without announcing it', () => {
    const retired = live({ status: 'retired', retiredBy: 'operator' });
    expect(planTool(hashed, 'sample', 'publish', { live: retired })).toEqual({ kind: 'keep', result: 'unchanged' });
    expect(planTool(hashed, 'sample', 'publish', { live: { ...retired, contractHash: 'other' } })).toMatchObject({
      result: 'stays_retired',
      planned: { contract: { version: 4 }, status: 'retired', eventSequence: 5 },
    });
  });

  it('is refused to another source than the one whose tool it is, until that has retired it', () => {
    expect(planTool(hashed, 'other', 'publish', { live: live({ contractHash: 'x' }) }).kind).toBe('refuse');
    expect(planTool(hashed, 'other', 'publish', { proposal: proposal() }).kind).toBe('refuse');
    expect(planTool(hashed, 'other', 'publish', { live: live({ status: 'retired' }) }).kind).toBe('save');
  });
});

describe('quarantine', () => {
  it('holds what is new and what is changed', () => {
    expect(planTool(hashed, 'sample', 'quarantine', {})).toEqual({ kind: 'propose', result: 'quarantined' });
    const changed = { live: live({ contractHash: 'other' }) };
    expect(planTool(hashed, 'sample', 'quarantine', changed)).toEqual({ kind: 'propose', result: 'quarantined' });
    expect(planTool(hashed, 'sample', 'draft', changed)).toEqual({ kind: 'propose', result: 'drafted' });
  });

  it('does not propose again what waits or was rejected, but does what has changed since', () => {
    expect(planTool(hashed, 'sample', 'quarantine', { proposal: proposal() })).toMatchObject({ result: 'unchanged' });
    const rejected = proposal({ status: 'rejected' });
    expect(planTool(hashed, 'sample', 'quarantine', { proposal: rejected })).toMatchObject({ result: 'rejected' });
    expect(
      planTool(hashed, 'sample', 'quarantine', { proposal: { ...rejected, contractHash: 'older' } }),
    ).toMatchObject({
      result: 'quarantined',
    });
  });
});

describe('a source', () => {
  it.each([
    ['a malformed tool id', sampleSource({ tools: [sampleTool({ toolId: 'nonsense' })] }), /not a tool id/],
    ['a repeated tool', sampleSource({ tools: [sampleTool(), sampleTool()] }), /twice/],
    ['an unknown provider', sampleSource({ providers: [] }), /unknown provider/],
    ['an unknown category', sampleSource({ categories: [] }), /unknown category/],
  ])('with %s is refused', (_name, source, message) => {
    expect(() => resolveTools(source)).toThrow(message);
  });
});
