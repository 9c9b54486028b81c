import type { ValidationDetail } from '@capability-router/contracts';
import type { ParsedRow, Row } from '@capability-router/provider-kit/documents';
import {
  MAX_BATCH_ITEMS,
  type BatchOutcome,
  type BatchToolOutcome,
  type CatalogueBatch,
  type Overlay,
} from '../../catalogue/apply-catalogue.js';
import { verdictMembers } from '../../catalogue/domain/replacement-verdict.js';
import { PublishedCount } from '../../catalogue/published-count.js';
import { readManifest, type ReadManifest } from '../manifest/read-manifest.js';

/** Bytes of rows that one transaction writes. */
const MAX_BATCH_BYTES = 4_194_304;
/** Values of one row, with what aliases repeat. */
export const MAX_ROW_VALUES = 100_000;
/** Faults that the report lists of one row, and of one after many broken ones. */
const MAX_ROW_DETAILS = 10;
const MANY_BROKEN_ROWS = 1_000;

export interface ReportLine {
  readonly row: number;
  readonly line: number;
  readonly kind?: 'provider' | 'category' | 'tool';
  readonly id?: string;
  readonly result: string;
  readonly [member: string]: unknown;
}

interface Place {
  readonly row: number;
  readonly line: number;
}

type Item =
  | { readonly kind: 'provider'; readonly id: string; readonly provider: NonNullable<ReadManifest['provider']> }
  | { readonly kind: 'category'; readonly id: string; readonly category: ReadManifest['categories'][number] }
  | { readonly kind: 'tool'; readonly id: string; readonly tool: ReadManifest['tools'][number] };

export interface Batch {
  readonly contents: CatalogueBatch;
  readonly items: readonly (Item & Place)[];
}

/** The memory of one import: the ids that it has seen, counts, and the batch that is being filled. */
export class ImportSession {
  readonly counts: Record<string, number> = {};
  readonly overlay: Overlay = { providers: new Map(), categories: new Map() };
  readonly published = new PublishedCount();
  /** Ids of those that were not refused. */
  readonly savedProviders: string[] = [];
  readonly savedCategories: string[] = [];
  rows = 0;
  private readonly seen = new Map<string, number>();
  private items: (Item & Place)[] = [];
  private bytes = 0;

  /** Takes a row in; gives what is to be reported of it at once. */
  add(row: Row, content: ParsedRow): ReportLine[] {
    this.rows += 1;
    if ('fault' in content) return [this.invalid(row, [content.fault])];
    const read = readManifest(content.document, { base: [], maxValues: MAX_ROW_VALUES });
    if (!read.ok) return [this.invalid(row, read.error, content.document)];
    const reported: ReportLine[] = [];
    for (const item of itemsOf(read.value)) {
      const key = `${item.kind} ${item.id}`;
      const before = this.seen.get(key);
      if (before === undefined) {
        this.seen.set(key, row.row);
        this.items.push({ ...item, row: row.row, line: row.line });
      } else {
        const detail = { type: 'value_error', loc: [idMember[item.kind]], msg: `Row ${before} has the same id` };
        reported.push(this.invalid(row, [detail], content.document, item));
      }
    }
    this.bytes += row.bytes;
    return reported;
  }

  /** A batch, if there is enough for one or, with `all`, if there is anything. */
  take(all: boolean): Batch | undefined {
    const full = this.items.length >= MAX_BATCH_ITEMS || this.bytes >= MAX_BATCH_BYTES;
    if (this.items.length === 0 || (!full && !all)) return undefined;
    const items = this.items.slice(0, MAX_BATCH_ITEMS);
    this.items = this.items.slice(MAX_BATCH_ITEMS);
    this.bytes = this.items.length === 0 ? 0 : this.bytes;
    return {
      items,
      contents: {
        providers: items.flatMap((item) => (item.kind === 'provider' ? [item.provider] : [])),
        categories: items.flatMap((item) => (item.kind === 'category' ? [item.category] : [])),
        tools: items.flatMap((item) => (item.kind === 'tool' ? [item.tool] : [])),
      },
    };
  }

  /** A line for each item of a batch, in their order. */
  report({ items }: Batch, outcome: BatchOutcome): ReportLine[] {
    const providers = new Map(outcome.providers.map((entry) => [entry.id, entry]));
    const categories = new Map(outcome.categories.map((entry) => [entry.id, entry]));
    const tools = new Map(outcome.tools.map((entry) => [entry.toolId, entry]));
    return items.flatMap(({ kind, id, row, line }) => {
      const place = { row, line, kind, id };
      if (kind === 'tool') {
        const tool = tools.get(id);
        return tool === undefined ? [] : [this.count({ ...place, ...toolReport(tool) })];
      }
      const definition = (kind === 'provider' ? providers : categories).get(id);
      if (definition === undefined) return [];
      const { result } = definition;
      if (result !== 'refused') (kind === 'provider' ? this.savedProviders : this.savedCategories).push(id);
      return [
        this.count(result === 'refused' ? { ...place, result, message: definition.message } : { ...place, result }),
      ];
    });
  }

  private invalid(row: Row, details: readonly ValidationDetail[], document?: unknown, item?: Item): ReportLine {
    const many = (this.counts['invalid'] ?? 0) >= MANY_BROKEN_ROWS;
    return this.count({
      row: row.row,
      line: row.line,
      ...(item === undefined ? idOf(document) : { kind: item.kind, id: item.id }),
      result: 'invalid',
      details: details.slice(0, many ? 1 : MAX_ROW_DETAILS),
    });
  }

  private count(line: ReportLine): ReportLine {
    this.counts[line.result] = (this.counts[line.result] ?? 0) + 1;
    return line;
  }
}

const idMember = { provider: 'provider_id', category: 'slug', tool: 'tool_id' } as const;

function itemsOf({ provider, categories, tools }: ReadManifest): Item[] {
  return [
    ...(provider === undefined ? [] : [{ kind: 'provider', id: provider.providerId, provider } as const]),
    ...categories.map((category) => ({ kind: 'category', id: category.slug, category }) as const),
    ...tools.map((tool) => ({ kind: 'tool', id: tool.manifest.toolId, tool }) as const),
  ];
}

/** Characters of an id that a broken row is named by. */
const MAX_SHOWN_ID_LENGTH = 200;

/** The id of a row that could not be read further, as far as it has one. */
function idOf(document: unknown): { id?: string } {
  if (typeof document !== 'object' || document === null) return {};
  for (const member of ['tool_id', 'slug', 'provider_id']) {
    const id = (document as Record<string, unknown>)[member];
    if (typeof id === 'string' && id.length <= MAX_SHOWN_ID_LENGTH && /^[!-~]+$/.test(id)) return { id };
  }
  return {};
}

function toolReport(outcome: BatchToolOutcome): Omit<ReportLine, 'row' | 'line'> & { result: string } {
  if (outcome.result === 'refused') {
    const { result, message } = outcome;
    const field = 'field' in outcome ? { field: outcome.field } : {};
    return { result, message, ...field };
  }
  const { result, version, schemaHash, verdict } = outcome;
  return {
    result,
    ...(version === undefined ? {} : { version }),
    schema_hash: schemaHash,
    ...verdictMembers(verdict),
  };
}
