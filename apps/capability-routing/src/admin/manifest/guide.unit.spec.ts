import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { builtinTools } from '@capability-router/builtin-tools';
import { parseYaml } from '@capability-router/provider-kit/documents';
import type { BoundTool } from '../../bindings/domain/bound-tool.js';
import { judgeBindings } from '../../bindings/judge-bindings.js';
import { readCapability } from './read-capability.js';

const guide = readFileSync(new URL('../../../../../docs/guides/add-capability.md', import.meta.url), 'utf8');
const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];
const parsed = parseYaml(yaml);
const document = 'document' in parsed ? (parsed.document as { candidates: object[] }) : undefined;

const tools = new Map(
  builtinTools.map(({ toolId, parametersSchema, oneOfRequired }): [string, BoundTool] => [
    toolId,
    { toolId, version: 1, parametersSchema, oneOfRequired, resultSchema: null },
  ]),
);
const verdictsOf = (written: unknown) => {
  const read = readCapability(written, []);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return judgeBindings(read.value.manifest, tools, new Map());
};

describe('docs/guides/add-capability.md', () => {
  it('has a contract that is taken, with two providers whose bindings fit', () => {
    const verdicts = verdictsOf(document);
    expect(verdicts.map(({ status, faults }) => [status, faults])).toEqual([
      ['fits', []],
      ['fits', []],
    ]);
    expect(new Set(verdicts.map(({ toolId }) => toolId.split('.')[0])).size).toBe(2);
  });

  it('shows what is said of the fault that it makes', () => {
    const candidates = document?.candidates.map((one, index) => (index === 1 ? { ...one, result: {} } : one));
    const [, second] = verdictsOf({ ...document, candidates });
    expect(second?.faults).toHaveLength(1);
    for (const { msg } of second?.faults ?? []) expect(guide).toContain(`"msg": "${msg}"`);
  });
});
