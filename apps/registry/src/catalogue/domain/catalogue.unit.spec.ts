import { describe, expect, it } from '@jest/globals';
import { sampleSource, sampleTool } from '../../test-support/sample-catalogue.js';
import { planPublication } from './plan-publication.js';
import type { HashedTool, PublishedTool } from './plan-publication.js';
import { resolveTools } from './resolve-tool.js';

const [tool] = resolveTools(sampleSource());
if (tool === undefined) throw new Error('the sample has a tool');
const hashed: HashedTool = { tool, schemaHash: 's', contractHash: 'c' };
const known = (over: Partial<PublishedTool>): Map<string, PublishedTool> =>
  new Map([
    [
      tool.toolId,
      { toolId: tool.toolId, status: 'published', version: 3, contractHash: 'c', eventSequence: 5, ...over },
    ],
  ]);

describe('publication', () => {
  it('begins with version 1', () => {
    const [publication] = planPublication([hashed], new Map());
    expect(publication).toMatchObject({ contract: { version: 1, schemaHash: 's' }, eventSequence: 1 });
  });

  it('leaves an unchanged tool alone', () => {
    expect(planPublication([hashed], known({}))).toEqual([]);
  });

  it('gives a changed contract the next version', () => {
    const [publication] = planPublication([hashed], known({ contractHash: 'other' }));
    expect(publication).toMatchObject({ contract: { version: 4 }, eventSequence: 6 });
  });

  it('brings a retired tool back as it was under its version, and changed under the next', () => {
    const [same] = planPublication([hashed], known({ status: 'retired' }));
    expect(same).toMatchObject({ contract: { version: 3 }, eventSequence: 6 });
    const [changed] = planPublication([hashed], known({ status: 'retired', contractHash: 'other' }));
    expect(changed).toMatchObject({ contract: { version: 4 } });
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
