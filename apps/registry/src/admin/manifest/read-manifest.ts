import type {
  CategoryDefinition,
  ProviderDefinition,
  ToolManifest,
  ValidationDetail,
} from '@capability-router/contracts';
import { fail, isJsonObject, ok, type JsonObject, type Result } from '@capability-router/kernel';
import { FairTurns } from '@capability-router/service-kit/thread';
import { scanDocument } from '@capability-router/tool-calls';
import type { Intent } from '../../catalogue/domain/plan-tool.js';
import { checkReach } from './check-reach.js';
import { checkProvider, checkTool } from './check-tool.js';
import type { CategoryDocument, ProviderDocument, ToolDocument } from './documents.js';
import { checkShape, manifestKinds, type ManifestKind } from './check-shape.js';
import { MAX_TOOLS_PER_MANIFEST } from './manifest-schema.js';
import { intentOf, toCategoryDefinition, toEgress, toProviderDefinition, toToolManifest } from './to-contract.js';

/** Faults that one document lists. */
const MAX_DETAILS = 50;
/** Values of one tool, or of a provider without its tools: more than 128 KiB of JSON hold. */
const MAX_PART_VALUES = 100_000;

export interface ManifestTool {
  readonly manifest: ToolManifest;
  readonly intent: Intent;
}

export interface ReadManifest {
  readonly provider?: ProviderDefinition;
  readonly categories: readonly CategoryDefinition[];
  readonly tools: readonly ManifestTool[];
  /** A provider without the member `tools` says nothing of them; with an empty one, that it has none. */
  readonly saysTools: boolean;
}

export interface ReadOptions {
  /** Begins each `loc`. */
  readonly base: Loc;
  /** Values of the document, with what aliases repeat. */
  readonly maxValues: number;
  /** The only kind that is taken, named or not. */
  readonly only?: 'provider';
}

type Read = Result<ReadManifest, ValidationDetail[]>;
type Loc = readonly (string | number)[];

/** A parsed document to what the catalogue works with, or its faults, each with its path. Never throws. */
export function readManifest(document: unknown, options: ReadOptions): Read {
  const steps = read(document, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same for a large one: others have their turn in between. */
export async function readManifestInTurns(document: unknown, options: ReadOptions): Promise<Read> {
  const steps = read(document, options);
  for (const turns = new FairTurns(); ; await turns.next()) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A step for each tool; each is bounded by what one tool may have. Ends where there are faults enough. */
function* read(document: unknown, options: ReadOptions): Generator<void, Read> {
  const { base } = options;
  if (!isJsonObject(document))
    return fail([{ type: 'dict_type', loc: base, msg: 'Input should be a valid object', allowed: { type: 'object' } }]);
  const kind = document['kind'] ?? options.only;
  const { tools } = document;
  // A provider without its tools, and each tool for itself.
  const parts: { part: unknown; loc: Loc; kind: unknown }[] =
    kind === 'provider' && Array.isArray(tools)
      ? [
          { part: { ...document, tools: [] }, loc: base, kind },
          ...tools
            .slice(0, MAX_TOOLS_PER_MANIFEST)
            .map((part, index) => ({ part, loc: [...base, 'tools', index], kind: 'tool' })),
        ]
      : [{ part: document, loc: base, kind }];
  let values = options.maxValues;
  for (const { part, loc } of parts) {
    const scanned = scanDocument(part, loc, Math.min(values, MAX_PART_VALUES));
    values -= scanned.values;
    if (values < 0) {
      return fail([{ type: 'too_long', loc: base, msg: `Document should have at most ${options.maxValues} values` }]);
    }
    if (scanned.details.length > 0) return fail(scanned.details);
    yield;
  }
  if (!isKind(kind) || (options.only !== undefined && kind !== options.only)) {
    const kinds = options.only === undefined ? manifestKinds : [options.only];
    const msg = `Input should be one of ${kinds.map((name) => `"${name}"`).join(', ')}`;
    const type = kind === undefined ? 'missing' : 'enum';
    return fail([{ type, loc: [...base, 'kind'], msg, allowed: { enum: [...kinds] } }]);
  }
  if (kind === 'provider' && Array.isArray(tools) && tools.length > MAX_TOOLS_PER_MANIFEST) {
    const msg = `Input should have at most ${MAX_TOOLS_PER_MANIFEST} tools, not ${tools.length}. Import them as rows`;
    return fail([{ type: 'too_long', loc: [...base, 'tools'], msg, allowed: { maxItems: MAX_TOOLS_PER_MANIFEST } }]);
  }
  const faults: ValidationDetail[] = [];
  for (const { part, loc, kind: partKind } of parts) {
    faults.push(...checkShape(partKind as ManifestKind, part as JsonObject, loc, MAX_DETAILS - faults.length));
    if (faults.length >= MAX_DETAILS) return fail(faults);
    yield;
  }
  if (faults.length > 0) return fail(faults);
  for (const found of readers[kind].check(document, base)) {
    faults.push(...found);
    if (faults.length >= MAX_DETAILS) break;
    yield;
  }
  return faults.length > 0 ? fail(faults.slice(0, MAX_DETAILS)) : ok(readers[kind].read(document));
}

const isKind = (kind: unknown): kind is ManifestKind => manifestKinds.some((known) => known === kind);

interface Reader {
  /** The faults of one part after the other. */
  readonly check: (document: object, base: Loc) => Iterable<ValidationDetail[]>;
  readonly read: (document: object) => ReadManifest;
}

const readers: Readonly<Record<ManifestKind, Reader>> = {
  tool: {
    check: (document, base) => {
      const tool = document as ToolDocument;
      if (tool.provider_id === undefined)
        return [[{ type: 'missing', loc: [...base, 'provider_id'], msg: 'Field required' }]];
      return [checkTool(tool, tool.provider_id, base)];
    },
    read: (document) => {
      const tool = document as ToolDocument;
      return { categories: [], tools: [readTool(tool, tool.provider_id ?? '')], saysTools: true };
    },
  },
  category: {
    check: () => [],
    read: (document) => ({
      categories: [toCategoryDefinition(document as CategoryDocument)],
      tools: [],
      saysTools: false,
    }),
  },
  provider: {
    *check(document, base) {
      const provider = document as ProviderDocument;
      const { tools = [], categories = [], provider_id: id } = provider;
      yield checkProvider(provider, base);
      yield repeated(tools, 'tool_id', [...base, 'tools']);
      yield repeated(categories, 'slug', [...base, 'categories']);
      const egress = toEgress(provider.egress) ?? {};
      for (const [index, tool] of tools.entries()) {
        const loc = [...base, 'tools', index];
        yield [...checkTool(tool, id, loc), ...checkReach(tool, egress, loc)];
      }
    },
    read: (document) => {
      const provider = document as ProviderDocument;
      return {
        provider: toProviderDefinition(provider),
        categories: (provider.categories ?? []).map(toCategoryDefinition),
        tools: (provider.tools ?? []).map((tool) => readTool(tool, provider.provider_id)),
        saysTools: provider.tools !== undefined,
      };
    },
  },
};

const readTool = (tool: ToolDocument, providerId: string): ManifestTool => ({
  manifest: toToolManifest(tool, providerId),
  intent: intentOf(tool),
});

function repeated<K extends string>(
  items: readonly Readonly<Record<K, string>>[],
  member: K,
  base: Loc,
): ValidationDetail[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const id = item[member];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ type: 'value_error', loc: [...base, index, member], msg: `"${id}" is there twice` }];
  });
}
