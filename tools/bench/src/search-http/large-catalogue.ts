import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from '../workspace.js';

/** An operation as the corpus of the search bench gives it. */
interface Operation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly params: readonly { readonly name: string; readonly description?: string }[];
  readonly provider?: string;
}

const CATEGORY = 'bench-operations';
/** The bounds that the manifest format sets, in characters. */
const MAX_NAME_LENGTH = 200;
const MAX_ID_PART_LENGTH = 60;
const MAX_PARAMETERS = 100;
const ROWS_PER_REQUEST = 5_000;
const IMPORT_TIMEOUT_MS = 120_000;
const VISIBLE_TIMEOUT_MS = 300_000;
const POLL_MS = 500;
const MAX_SAMPLE_LENGTH = 500;

/**
 * The corpus of `tools/search-bench`, which is built on this package, so it is loaded by its path and only here: nothing of
 * its source may be kept.
 */
async function operations(count: number): Promise<readonly Operation[]> {
  const file = join(workspaceRoot, 'tools/search-bench/dist/data/openapi-corpus.js');
  if (!existsSync(file)) throw new Error('tools/search-bench is not built: run "npm run build"');
  const corpus = (await import(pathToFileURL(file).href)) as {
    readonly openapiTools: (count: number) => Promise<readonly Operation[]>;
  };
  return corpus.openapiTools(count);
}

/** Rows of `POST /admin/v1/catalog:import`: a category, every provider once, then the tools. */
function* rowsOf(list: readonly Operation[]): Generator<object, void> {
  yield {
    kind: 'category',
    slug: CATEGORY,
    name: { en: 'Operations' },
    description: { en: 'Operations of public interfaces.' },
  };
  const providers = new Map<string, string>();
  for (const { provider = 'unknown' } of list) {
    if (providers.has(provider)) continue;
    const id = `bench-${providers.size}-${slugOf(provider)}`.slice(0, MAX_ID_PART_LENGTH);
    providers.set(provider, id);
    const name = oneLine(provider);
    yield { kind: 'provider', provider_id: id, name: { en: name }, description: { en: `Interface of ${name}.` } };
  }
  for (const [index, operation] of list.entries()) {
    const providerId = providers.get(operation.provider ?? 'unknown') ?? '';
    yield toolRow(operation, providerId, index);
  }
}

function toolRow({ id, name, description, params }: Operation, providerId: string, index: number): object {
  const named = params.filter((param) => /^[\w.-]{1,100}$/.test(param.name)).slice(0, MAX_PARAMETERS);
  const properties = named.map((param) => [
    param.name,
    { type: 'string', ...(param.description ? { description: param.description } : {}) },
  ]);
  return {
    kind: 'tool',
    tool_id: `${providerId}.${slugOf(id.slice(id.lastIndexOf('.') + 1))}.n${index}.v1`,
    provider_id: providerId,
    name: { en: oneLine(name) },
    description: { en: description.trim() === '' ? oneLine(name) : description },
    categories: [CATEGORY],
    parameters_schema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(properties) as object,
    },
    price: { amount_credits: '0.5' },
    binding: { kind: 'http', method: 'GET', url: 'https://api.example.com/operation' },
  };
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH) || 'operation';
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_ID_PART_LENGTH - 12) || 'x';

const IDLE_TIMEOUT_MS = 600_000;
const IDLE_SAMPLE_MS = 2_000;
/** Share of one core, all processes of the deployment together. */
const IDLE_SHARE = 0.2;

/** Until every service has taken the new tools in: what is measured is a catalogue that stands, not one that arrives. */
export async function untilIdle(cpu: () => Readonly<Record<string, number>>): Promise<void> {
  const total = (): number => Object.values(cpu()).reduce((sum, seconds) => sum + seconds, 0);
  const deadlineMs = performance.now() + IDLE_TIMEOUT_MS;
  for (let before = total(); performance.now() < deadlineMs;) {
    await sleep(IDLE_SAMPLE_MS);
    const now = total();
    if ((now - before) / (IDLE_SAMPLE_MS / 1_000) < IDLE_SHARE) return;
    before = now;
  }
  throw new Error('the deployment did not come to rest after the import');
}

interface Admin {
  readonly origin: string;
  readonly key: string;
}

/** Imports `count` tools through the admin API, and waits until they are searched. Gives the seconds of both. */
export async function importLargeCatalogue(
  admin: Admin,
  count: number,
): Promise<{ readonly importSeconds: number; readonly visibleSeconds: number }> {
  const rows = rowsOf(await operations(count));
  const startedMs = performance.now();
  for (let part = linesOf(rows); part.length > 0; part = linesOf(rows)) await importRows(admin, part.join(''));
  const importSeconds = (performance.now() - startedMs) / 1_000;
  await untilSearched(admin, count);
  return { importSeconds, visibleSeconds: (performance.now() - startedMs) / 1_000 - importSeconds };
}

function linesOf(rows: Generator<object, void>): string[] {
  const lines: string[] = [];
  while (lines.length < ROWS_PER_REQUEST) {
    const next = rows.next();
    if (next.done === true) break;
    lines.push(`${JSON.stringify(next.value)}\n`);
  }
  return lines;
}

async function importRows({ origin, key }: Admin, body: string): Promise<void> {
  const answer = await fetch(`${origin}/admin/v1/catalog:import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body,
    signal: AbortSignal.timeout(IMPORT_TIMEOUT_MS),
  });
  const report = await answer.text();
  const summary = report.trimEnd().split('\n').at(-1) ?? '';
  if (!answer.ok || !summary.includes('"summary"') || summary.includes('"invalid"')) {
    const fault = report.split('\n').find((line) => line.includes('"invalid"')) ?? summary;
    throw new Error(`the import was answered ${answer.status}: ${fault.slice(0, MAX_SAMPLE_LENGTH)}`);
  }
}

async function untilSearched({ origin, key }: Admin, count: number): Promise<void> {
  const deadlineMs = performance.now() + VISIBLE_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/providers/categories`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (answer.ok) {
      const { items } = (await answer.json()) as { items: { slug: string; tool_count: number }[] };
      if (items.some(({ slug, tool_count: tools }) => slug === CATEGORY && tools === count)) return;
    } else await answer.arrayBuffer();
    if (performance.now() > deadlineMs) throw new Error('the imported tools did not become visible in time');
    await sleep(POLL_MS);
  }
}
