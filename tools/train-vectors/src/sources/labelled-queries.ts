import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface LabelledTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly params: readonly { readonly name: string; readonly description?: string }[];
  readonly provider?: string;
  readonly provider_description?: string;
  readonly categories?: readonly string[];
  readonly source: string;
}

export interface LabelledQuery {
  readonly text: string;
  readonly lang: string;
  readonly source: string;
  /** Ids of the tools that serve it. */
  readonly relevant: readonly string[];
}

export interface LabelledData {
  readonly tools: readonly LabelledTool[];
  /** English ones. */
  readonly queries: readonly LabelledQuery[];
}

/** `SEARCH_EVAL_DIR`, else `shared/search-eval` beside the repository. */
export function labelledFolder(env: NodeJS.ProcessEnv): string {
  return resolve(
    env['SEARCH_EVAL_DIR'] ?? fileURLToPath(new URL('../../../../../shared/search-eval', import.meta.url)),
  );
}

/** Undefined where the folder lacks a file. Throws for a file that is no gzip of JSON lines. */
export function readLabelledData(folder: string): LabelledData | undefined {
  const paths = ['tools', 'queries'].map((name) => join(folder, `${name}.jsonl.gz`));
  if (!paths.every((path) => existsSync(path))) return undefined;
  const [tools = [], queries = []] = paths.map(rows);
  return {
    tools: tools as LabelledTool[],
    queries: (queries as LabelledQuery[]).filter(({ lang }) => lang === 'en'),
  };
}

/** Sources of one origin share tools or authors: whoever leaves one out has to leave out all of them. */
export function originOf(source: string): string {
  return source.replace(/_.*$/, '');
}

function rows(path: string): unknown[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
