import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { builtinTools } from '@capability-router/builtin-tools';
import { MAX_JSON_LEVELS, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

/** Micro-credits. */
const BALANCE = 1_000_000_000n;
/** Milliseconds. The call after an attack waits for a new runner to start, which is slow on a busy machine. */
const PATIENT_TIMEOUT_MS = 40_000;

/** The same tool with more time. */
const patientIdOf = (toolId: string): string => toolId.replace(/v1$/, 'v2');

let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(
    builtinTools.flatMap((manifest) => [
      toolContract(manifest),
      toolContract({ ...manifest, toolId: patientIdOf(manifest.toolId), timeoutMs: PATIENT_TIMEOUT_MS }),
    ]),
  );
});
afterAll(() => execution.stop());
beforeEach(() => {
  execution.billing.available = BALANCE;
});

const nestedLists = (levels: number, width: number): JsonValue =>
  levels === 0 ? 1 : Array.from({ length: width }, () => nestedLists(levels - 1, width));

const distinctColumns = (rows: number): JsonValue => Array.from({ length: rows }, (_, row) => ({ [`k${row}`]: row }));

const backtracking = `${'a'.repeat(40)}!`;

/** Each is valid by the tool's schema, and meant to take the service down. */
const attacks: readonly (readonly [what: string, toolId: string, parameters: JsonObject])[] = [
  ['an endless loop', 'scribe.template.render.v1', { template: '{% for i in (1..1000000000) %}{% endfor %}' }],
  [
    'loops in loops',
    'scribe.template.render.v1',
    { template: `${'{% for i in (1..1000) %}'.repeat(8)}x${'{% endfor %}'.repeat(8)}` },
  ],
  [
    'a text that doubles',
    'scribe.template.render.v1',
    { template: '{% assign a = "xxxxxxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}' },
  ],
  [
    'a backtracking pattern',
    'toolbox.json.select.v1',
    { json: [backtracking], expression: "$[?search(@, '^(a|aa)+$')]" },
  ],
  ['a query that multiplies', 'toolbox.json.select.v1', { json: nestedLists(6, 5), expression: '$..*..*..*..*..*..*' }],
  [
    'a query without matches over everything',
    'forge.json.query.v1',
    { document: nestedLists(6, 5), path: '$..*..*..*..*..*..*.x' },
  ],
  ['a large allocation', 'formula.expression.evaluate.v1', { expression: 'zeros(100000000)' }],
  ['a pattern that expands', 'forge.regex.match.v1', { pattern: '(((a{100}){100}){100}){100}', text: 'a' }],
  [
    'a billion laughs',
    'toolbox.yaml.load.v1',
    {
      document: ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
        .concat(
          [1, 2, 3, 4, 5, 6, 7, 8].map(
            (n) =>
              `a${n}: &a${n} [${Array(10)
                .fill(`*a${n - 1}`)
                .join(', ')}]`,
          ),
        )
        .join('\n'),
    },
  ],
  ['brackets without end in YAML', 'forge.yaml.to_json.v1', { yaml: '['.repeat(5_000) }],
  // With what the call before has left behind, it made V8 abort its process.
  ['keys nested without end in YAML', 'forge.yaml.to_json.v1', { yaml: '? '.repeat(20_000) }],
  ['the same by another library', 'toolbox.yaml.load.v1', { document: '? '.repeat(20_000) }],
  ['sentences without words', 'lingua.readability.score.v1', { text: '. '.repeat(25_000) }],
  ['a table of distinct columns', 'toolbox.json.to_csv.v1', { rows: distinctColumns(3_000) }],
  ['equal numbers', 'formula.statistics.describe.v1', { numbers: Array<JsonValue>(8_000).fill(7) }],
  ['markup nested without end', 'scribe.article.extract.v1', { html: '<b>'.repeat(100_000) }],
  ['lists nested without end', 'toolbox.markdown.to_html.v1', { markdown: '> '.repeat(12_000) }],
  ['brackets without end', 'toolbox.markdown.to_html.v1', { markdown: '['.repeat(25_000) }],
  ['emphasis without end', 'scribe.markdown.to_html.v1', { markdown: '*a_ '.repeat(25_000) }],
];

describe('what is meant to take the service down', () => {
  it.each(attacks)(
    '%s in %s ends with an answer, and the next call of that kind succeeds',
    async (_what, toolId, parameters) => {
      const { status, body } = await execution.call({ tool_id: toolId, parameters });
      expect(status).toBeLessThan(500);
      expect(['boolean', typeof body['success']]).toEqual(['boolean', 'boolean']);
      if (body['success'] === false) expect(body['cost']).toBe(0);
      const sample = builtinTools.find((tool) => tool.toolId === toolId)?.sampleParameters ?? {};
      const next = await execution.call({ tool_id: patientIdOf(toolId), parameters: sample });
      expect(next.body).toMatchObject({ success: true });
    },
    120_000,
  );
});

it('shows operators what each tool takes', async () => {
  const toolId = patientIdOf('toolbox.hash.digest.v1');
  const { body } = await execution.call({ tool_id: toolId, parameters: { input: 'abc' } });
  expect(body).toMatchObject({ success: true });
  const metrics = await execution.metrics.metrics();
  for (const name of ['runs_total', 'run_seconds_total', 'run_cpu_seconds_total', 'run_resident_bytes_max']) {
    const series = metrics.split('\n').find((line) => line.startsWith(`builtin_${name}{tool="${toolId}"`));
    expect([name, Number(series?.split(' ').at(-1)) > 0]).toEqual([name, true]);
  }
  expect(metrics).toMatch(/^builtin_processes [1-9]/m);
});

describe('a body nested without end', () => {
  const deep = (levels: number): JsonValue => {
    let value: JsonValue = 1;
    for (let level = 0; level < levels; level += 1) value = [value];
    return value;
  };
  const toolId = patientIdOf('formula.expression.evaluate.v1');

  // Requests through the gateway are bounded there; this is the second line.
  it.each<[string, number, (value: JsonValue) => JsonObject]>([
    ['in a parameter', 4_000, (value) => ({ tool_id: toolId, parameters: { expression: value } })],
    [
      'in a member that is ignored',
      4_000,
      (value) => ({ tool_id: toolId, parameters: { expression: '1' }, zz: value }),
    ],
    [
      'just above the limit',
      MAX_JSON_LEVELS,
      (value) => ({ tool_id: toolId, parameters: { expression: '1' }, zz: value }),
    ],
  ])('%s is refused before anything is held or run', async (_what, levels, bodyOf) => {
    const holds = execution.billing.holds.length;
    const { status, body } = await execution.call(bodyOf(deep(levels)));
    expect(status).toBe(400);
    expect(body).toEqual({
      status: 'failure',
      code: 'invalid_json',
      message: expect.stringContaining(`${MAX_JSON_LEVELS} levels`),
    });
    expect(execution.billing.holds).toHaveLength(holds);
  });

  it('is accepted up to the limit, and a parameter at fault is told', async () => {
    const call = { tool_id: toolId, parameters: { expression: '1' } };
    expect((await execution.call({ ...call, zz: deep(MAX_JSON_LEVELS - 1) })).body).toMatchObject({ success: true });
    const faulty = await execution.call({ ...call, parameters: { expression: deep(MAX_JSON_LEVELS - 2) } });
    expect([faulty.status, faulty.body['success']]).toEqual([422, false]);
  });
});
