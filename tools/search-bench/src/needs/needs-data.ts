import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@capability-router/tools-bench';
import type { SearchDocument } from '@capability-router/tool-search';

export const halves = ['choose', 'report'] as const;
/** Parts and weights are chosen on the sources of one half and reported on those of the other. */
export type Half = (typeof halves)[number];
export const styles = ['imperative', 'noun', 'question'] as const;
/** The form of the English wording. */
export type Style = (typeof styles)[number];
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** An entry of `sources.json`. */
export interface NeedSource {
  readonly source: string;
  readonly half: Half;
  /** The repository from which the tools' texts are. */
  readonly origin: string;
  /** SPDX identifiers; which tool has which is in `NOTICE.md` beside the data. */
  readonly licences: readonly string[];
}

/** A row of `catalogue.ndjson`: the texts of one tool that are searched. */
export interface CatalogueTool extends Omit<SearchDocument, 'toolId'> {
  readonly id: string;
  readonly source: string;
}

/** A row of `unserved.ndjson`: what no tool of the catalogue does. */
export interface UnservedNeed {
  readonly id: string;
  readonly style: Style;
  readonly en: string;
  readonly zh: string;
}

/** A row of `needs.ndjson`: the same need in both languages. */
export interface Need extends UnservedNeed {
  /** Where the tool comes from with which in mind the need was written. */
  readonly source: string;
  /** Ids of all tools of the catalogue that serve the need, of whatever source. */
  readonly relevant: readonly string[];
}

/** A row of `judgements.ndjson`: what two readings said of the same candidates. */
export interface Judgement {
  readonly need: string;
  /** Tool ids in the order in which they were read. */
  readonly pool: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
}

export interface NeedsData {
  readonly sources: readonly NeedSource[];
  readonly tools: readonly CatalogueTool[];
  readonly needs: readonly Need[];
  readonly unserved: readonly UnservedNeed[];
  readonly judgements: readonly Judgement[];
  /** SHA-256 over all but the judgements, hexadecimal: figures of other data cannot be compared. */
  readonly fingerprint: string;
}

export const needsFolder = join(workspaceRoot, 'tools/search-bench/data/capability-needs');

/** Throws for a file that is missing or no JSON; what else must hold of the data is in its spec. */
export function readNeeds(): NeedsData {
  const hash = createHash('sha256');
  const read = (name: string): string => {
    const content = readFileSync(join(needsFolder, name), 'utf8');
    hash.update(content);
    return content;
  };
  const sources = JSON.parse(read('sources.json')) as NeedSource[];
  const tools = rows(read('catalogue.ndjson')) as CatalogueTool[];
  const needs = rows(read('needs.ndjson')) as Need[];
  const unserved = rows(read('unserved.ndjson')) as UnservedNeed[];
  const fingerprint = hash.digest('hex');
  const judgements = rows(readFileSync(join(needsFolder, 'judgements.ndjson'), 'utf8')) as Judgement[];
  return { sources, tools, needs, unserved, judgements, fingerprint };
}

/** The part of the catalogue that the index takes. */
export function documentsOf(tools: readonly CatalogueTool[]): SearchDocument[] {
  return tools.map(({ id, name, description, provider, category, params }) => ({
    toolId: id,
    name,
    description,
    provider,
    category,
    params,
  }));
}

function rows(content: string): unknown[] {
  const lines = content.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as unknown);
}
