import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { lookUpTools } from './look-up-tools.js';

const ids = ['a.b.c.v1', 'a.b.d.v1'];
const known = new Map<string, ToolContract>(
  resolveTools(sampleSource({ tools: ids.map((toolId) => sampleTool({ toolId })) })).map((tool) => [
    tool.toolId,
    { ...tool, version: 1, schemaHash: '0'.repeat(64) },
  ]),
);
const find = (toolId: string): ToolContract | undefined => known.get(toolId);

describe('look-up of tools', () => {
  it('keeps the order of the request and gives each tool once', () => {
    const { tools, errorMessage } = lookUpTools(['a.b.d.v1', 'a.b.c.v1', 'a.b.d.v1'], find);
    expect(tools.map((tool) => tool.toolId)).toEqual(['a.b.d.v1', 'a.b.c.v1']);
    expect(errorMessage).toBeNull();
  });

  it('reports unknown ids without failing the others', () => {
    const { tools, errorMessage } = lookUpTools(['nope', 'a.b.c.v1'], find);
    expect(tools).toHaveLength(1);
    expect(errorMessage).toBe('Unknown tool ids: nope. Search again and use tool ids exactly as returned.');
  });

  it('names at most ten of them', () => {
    const { errorMessage } = lookUpTools(
      Array.from({ length: 12 }, (_, i) => `x${i}`),
      find,
    );
    expect(errorMessage).toContain('x9 and 2 more.');
  });
});
