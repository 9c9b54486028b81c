import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { workspaceRoot } from '@capability-router/tools-bench';

/** A row of `tools.jsonl.gz` and `distractors.jsonl.gz`. */
export interface EvalTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly params: readonly { readonly name: string; readonly description?: string; readonly enum?: unknown }[];
  readonly provider?: string;
  readonly provider_description?: string;
  readonly categories?: readonly string[];
  readonly source: string;
}

/** A row of `queries.jsonl.gz`. */
export interface EvalQuery {
  readonly text: string;
  readonly lang: string;
  readonly source: string;
  /** Ids of the tools that serve the query. */
  readonly relevant: readonly string[];
}

export interface EvalData {
  readonly folder: string;
  readonly tools: readonly EvalTool[];
  readonly queries: readonly EvalQuery[];
  readonly distractors: readonly EvalTool[];
  /** SHA-256 over the three files, hexadecimal: figures of other data cannot be compared. */
  readonly fingerprint: string;
}

const files = ['tools', 'queries', 'distractors'] as const;

/** `SEARCH_EVAL_DIR`, else `shared/search-eval` beside the repository. */
export function evalFolder(env: NodeJS.ProcessEnv): string {
  return resolve(env['SEARCH_EVAL_DIR'] ?? join(workspaceRoot, '../shared/search-eval'));
}

/** Undefined where the folder lacks a file. Throws for a file that is no gzip of JSON lines. */
export function readEvalData(folder: string): EvalData | undefined {
  const paths = files.map((name) => join(folder, `${name}.jsonl.gz`));
  if (!paths.every((path) => existsSync(path))) return undefined;
  const contents = paths.map((path) => readFileSync(path));
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  const [tools = [], queries = [], distractors = []] = contents.map(rows);
  return {
    folder,
    tools: tools as EvalTool[],
    queries: queries as EvalQuery[],
    distractors: distractors as EvalTool[],
    fingerprint: hash.digest('hex'),
  };
}

function rows(content: Buffer): unknown[] {
  const lines = gunzipSync(content).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
