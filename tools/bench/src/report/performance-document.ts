import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { workspaceRoot } from '../workspace.js';

/** In the order of the document. A part that was not run keeps what is there. */
const titles = {
  'gateway-hop': 'Gateway hop',
  'mcp-hop': 'MCP beside REST',
  'client-cost': 'The client of the npm package',
  'calls-standalone': 'Accounted calls, standalone',
  'calls-stack': 'Accounted calls, real stack',
  'trace-cost': 'The cost of traces, standalone',
  queries: 'Queries of capabilities beside Calls, standalone',
  'builtin-calls': 'Built-in tools: a process beside a thread',
  'provider-calls': 'Calls of HTTP providers, standalone',
  'settlement-standalone': 'Settlement, standalone',
  'settlement-stack': 'Settlement, real stack',
  'settlement-lag': 'Settlement lag, real stack',
  holds: 'Holds, standalone',
  identity: 'Credentials, registrations and revocations, real stack',
  routing: 'Choice of a provider',
  history: 'Long histories, standalone',
  'search-http': 'Searches over HTTP, standalone',
  'catalogue-import': 'Import of a catalogue, standalone',
  'fresh-clone': 'From a clone to the first call, standalone',
  'start-up': 'Start-up and memory',
  search: 'Tool search',
} as const;

export type SectionName = keyof typeof titles;
const names = Object.keys(titles) as SectionName[];

const intro = `# Performance

Measured by \`npm run bench\` (\`npm run bench -- --stack\` adds the real stack), everything on one machine: databases, broker, services and load generator share its cores. Each part says when and where it was measured; figures are medians of its rounds, each beside a baseline of the same run. The bars are aims of the design; what misses one is said to.`;

const begin = (name: SectionName): string => `<!-- begin ${name} -->`;
const end = (name: SectionName): string => `<!-- end ${name} -->`;

/** Puts one part into `docs/performance.md`, with where and when it was measured. All else, also what is written by hand, stays. */
export async function writeSection(name: SectionName, machine: string, text: string): Promise<void> {
  const file = join(workspaceRoot, 'docs/performance.md');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : intro;
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}.`;
  const part = [begin(name), `## ${titles[name]}`, measured, text, end(name)].join('\n\n');
  const document = withPart(before, name, part);
  writeFileSync(file, (await format(file, document, { printWidth: 120, singleQuote: true })).code);
}

/** In the place of the part of that name; a new one stands behind the nearest that comes before it in the document. */
export function withPart(document: string, name: SectionName, part: string): string {
  const place = placeOf(document, name);
  if (place !== undefined) return document.slice(0, place.from) + part + document.slice(place.to);
  const earlier = names.slice(0, names.indexOf(name)).reverse();
  const behind = earlier.map((candidate) => placeOf(document, candidate)?.to).find((to) => to !== undefined);
  const at = behind ?? document.length;
  return `${document.slice(0, at)}\n\n${part}${document.slice(at)}`;
}

function placeOf(document: string, name: SectionName): { readonly from: number; readonly to: number } | undefined {
  const from = document.indexOf(begin(name));
  const to = document.indexOf(end(name));
  return from === -1 || to < from ? undefined : { from, to: to + end(name).length };
}
