import { describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { resolveTools } from '../catalogue/domain/resolve-tool.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { lookUpTools, messageOfMissing } from './look-up-tools.js';

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
    const { tools, missing } = lookUpTools(['a.b.d.v1', 'a.b.c.v1', 'a.b.d.v1'], find);
    expect(tools.map((tool) => tool.toolId)).toEqual(['a.b.d.v1', 'a.b.c.v1']);
    expect(missing).toEqual([]);
  });

  it('names what is missing, each once, without failing the others', () => {
    const { tools, missing } = lookUpTools(['nope', 'a.b.c.v1', 'nope'], find);
    expect(tools).toHaveLength(1);
    expect(missing).toEqual(['nope']);
  });
});

describe('message about missing tools', () => {
  it('is null where none is', () => {
    expect(messageOfMissing([], new Set())).toBeNull();
  });

  it('tells retired from unknown, and what to do', () => {
    expect(messageOfMissing(['x', 'old', 'y'], new Set(['old']))).toBe(
      'Unknown tool ids: x, y. Retired tool ids: old. Search again and use tool ids exactly as returned.',
    );
  });

  it('names at most ten of a kind', () => {
    const many = Array.from({ length: 12 }, (_, index) => `x${index}`);
    expect(messageOfMissing(many, new Set())).toContain('x9 and 2 more.');
  });
});
