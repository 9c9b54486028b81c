import type { McpBinding, ToolManifest } from '@capability-router/contracts';
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';
import { cleanLine, cleanText } from '../../domain/clean-text.js';
import { Documents, ReferenceFault } from '../../domain/documents.js';
import {
  NotImportable,
  type Conversion,
  type ImportChoices,
  type ImportedTool,
  type SkippedTool,
} from '../../domain/imported.js';
import { isChosen } from '../../domain/matches-glob.js';
import { sampleParameters } from '../../domain/sample-parameters.js';
import {
  isTooLarge,
  schemaDepths,
  tooLargeMessage,
  truncatedNote,
  type SchemaDepth,
} from '../../domain/schema/schema-bounds.js';
import { SchemaConverter } from '../../domain/schema/schema-converter.js';
import { resourceAndAction, ToolIds } from '../../domain/tool-ids.js';

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 4_000;

export interface McpChoices extends ImportChoices {
  readonly server: McpBinding['server'];
}

/** A tool as its server describes it; untrusted. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  /** The server says that calling it changes nothing, or twice as good as once. */
  readonly readOnly: boolean;
  readonly idempotent: boolean;
}

/** The tools that a server lists, as tools of the catalogue. */
export function toTools(listed: readonly ListedTool[], choices: McpChoices): Conversion {
  const ids = new ToolIds(choices.providerId, choices.knownIds);
  const tools: ImportedTool[] = [];
  const skipped: SkippedTool[] = [];
  const seen = new Set<string>();
  for (const entry of listed) {
    const { name } = entry;
    if (!isChosen(choices, [name])) continue;
    try {
      if (seen.has(name)) throw new NotImportable('The server lists it twice.');
      seen.add(name);
      tools.push(toTool(entry, ids, choices));
    } catch (error) {
      if (!(error instanceof NotImportable) && !(error instanceof ReferenceFault)) throw error;
      skipped.push({
        key: name.slice(0, MAX_NAME_LENGTH),
        reason: error instanceof ReferenceFault ? `${error.message}.` : error.message,
      });
    }
  }
  return { tools, skipped };
}

function toTool(entry: ListedTool, ids: ToolIds, choices: McpChoices): ImportedTool {
  const { name } = entry;
  if (!/^[!-~]{1,200}$/.test(name)) throw new NotImportable('Its name is none that can be sent.');
  const meaning = resourceAndAction(name, 'tool');
  if (meaning === undefined) throw new NotImportable('Its name has neither letters nor digits.');
  const { schema, notes } = parametersSchema(entry.inputSchema);
  const title = cleanLine(entry.title, MAX_NAME_LENGTH);
  const tool: ToolManifest = {
    toolId: ids.idOf(name, meaning),
    providerId: choices.providerId,
    name: { en: title ?? name },
    description: { en: cleanText(entry.description, MAX_DESCRIPTION_LENGTH) ?? title ?? name },
    categories: choices.categories,
    capabilities: [],
    parametersSchema: schema,
    oneOfRequired: [],
    sampleParameters: sampleParameters(schema, new Map()),
    price: choices.price,
    binding: {
      kind: 'mcp',
      server: choices.server,
      tool: name,
      auth: choices.auth ?? { kind: 'none' },
      ...(entry.readOnly || entry.idempotent ? { retrySafe: true } : {}),
    },
    timeoutMs: choices.timeoutMs,
    asOfSupport: false,
  };
  return { key: name, tool, notes };
}

/** Servers write whatever dialect their library makes; the catalogue has 2020-12, closed at the top. */
function parametersSchema(root: JsonObject): { schema: JsonObject; notes: string[] } {
  for (const depth of schemaDepths) {
    const described = describe(root, depth);
    if (described !== undefined) return described;
  }
  throw new NotImportable(tooLargeMessage);
}

/** Undefined where that is more than the catalogue takes. */
function describe(root: JsonObject, depth: SchemaDepth): { schema: JsonObject; notes: string[] } | undefined {
  const documents = new Documents('', new Map<string, JsonValue>([['', root]]));
  const schemas = new SchemaConverter(documents, { openApi30: false, dropReadOnly: false, ...depth });
  const converted = schemas.convert({ value: root, base: '' });
  if (!isJsonObject(converted) || (converted['type'] !== undefined && converted['type'] !== 'object')) {
    throw new NotImportable('Its parameters are no object.');
  }
  const { $ref: reference, ...own } = converted;
  if (reference !== undefined) throw new NotImportable('Its parameters are described by a reference only.');
  const schema: JsonObject = { ...own, type: 'object', additionalProperties: false, ...schemas.finish() };
  if (isTooLarge(schema, schemas.size)) return undefined;
  const open = root['additionalProperties'] !== undefined && root['additionalProperties'] !== false;
  return {
    schema,
    notes: [
      ...(open ? ['It takes parameters that it does not name; here only those that it names can be given.'] : []),
      ...(schemas.truncated ? [truncatedNote] : []),
    ],
  };
}
