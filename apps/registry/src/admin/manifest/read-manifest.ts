import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type {
  CategoryDefinition,
  ProviderDefinition,
  ToolManifest,
  ValidationDetail,
} from '@capability-router/contracts';
import { fail, isJsonObject, ok } from '@capability-router/kernel';
import type { JsonValue, Result } from '@capability-router/kernel';
import { detailOf } from '@capability-router/tool-calls';
import type { Intent } from '../../catalogue/domain/plan-tool.js';
import { checkProvider, checkTool } from './check-tool.js';
import type { CategoryDocument, ProviderDocument, ToolDocument } from './documents.js';
import { manifestSchema, MANIFEST_SCHEMA_ID } from './manifest-schema.js';
import { scanDocument } from './scan-document.js';
import { intentOf, toCategoryDefinition, toProviderDefinition, toToolManifest } from './to-contract.js';

/** Faults that one document lists. */
const MAX_DETAILS = 50;

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
  readonly base: readonly (string | number)[];
  /** Values of the document, with what aliases repeat. */
  readonly maxValues: number;
  /** The only kind that is taken, named or not. */
  readonly only?: 'provider';
}

export const manifestKinds = ['provider', 'tool', 'category'] as const;
type Kind = (typeof manifestKinds)[number];

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, discriminator: true });
ajv.addSchema(manifestSchema);
const validators: Readonly<Record<Kind, ValidateFunction>> = {
  provider: ajv.compile({ $ref: `${MANIFEST_SCHEMA_ID}#/$defs/provider` }),
  tool: ajv.compile({ $ref: `${MANIFEST_SCHEMA_ID}#/$defs/tool` }),
  category: ajv.compile({ $ref: `${MANIFEST_SCHEMA_ID}#/$defs/category` }),
};

/** A parsed document to what the catalogue works with, or its faults, each with its path. Never throws. */
export function readManifest(document: unknown, options: ReadOptions): Result<ReadManifest, ValidationDetail[]> {
  const { base } = options;
  if (!isJsonObject(document)) return fail([{ type: 'dict_type', loc: base, msg: 'Input should be a valid object' }]);
  const unsafe = scanDocument(document, base, options.maxValues);
  if (unsafe.length > 0) return fail(unsafe);
  const kind = document['kind'] ?? options.only;
  if (!isKind(kind) || (options.only !== undefined && kind !== options.only)) {
    const allowed = options.only === undefined ? manifestKinds : [options.only];
    const msg = `Input should be one of ${allowed.map((name) => `"${name}"`).join(', ')}`;
    return fail([{ type: kind === undefined ? 'missing' : 'enum', loc: [...base, 'kind'], msg }]);
  }
  const validate = validators[kind];
  if (!validate(document)) {
    const errors = (validate.errors ?? []).filter(isTelling).slice(0, MAX_DETAILS);
    // The errors of the last check would keep the document alive.
    validate.errors = null;
    return fail(errors.map((error) => detailOf(error, document as JsonValue, base)));
  }
  const faults = readers[kind].check(document, base);
  return faults.length > 0 ? fail(faults.slice(0, MAX_DETAILS)) : ok(readers[kind].read(document));
}

const isKind = (kind: unknown): kind is Kind => manifestKinds.some((known) => known === kind);

/** Of alternatives it is told what is wrong with each; that none fits adds nothing. */
const isTelling = ({ keyword }: ErrorObject): boolean => keyword !== 'oneOf' && keyword !== 'anyOf';

interface Reader {
  readonly check: (document: object, base: readonly (string | number)[]) => ValidationDetail[];
  readonly read: (document: object) => ReadManifest;
}

const readers: Readonly<Record<Kind, Reader>> = {
  tool: {
    check: (document, base) => {
      const tool = document as ToolDocument;
      if (tool.provider_id === undefined)
        return [{ type: 'missing', loc: [...base, 'provider_id'], msg: 'Field required' }];
      return checkTool(tool, tool.provider_id, base);
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
    check: (document, base) => {
      const provider = document as ProviderDocument;
      const { tools = [], categories = [], provider_id: id } = provider;
      return [
        ...checkProvider(provider, base),
        ...repeated(tools, 'tool_id', [...base, 'tools']),
        ...repeated(categories, 'slug', [...base, 'categories']),
        ...tools.flatMap((tool, index) => checkTool(tool, id, [...base, 'tools', index])),
      ];
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
  base: readonly (string | number)[],
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
