import type { ToolContract } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import { ParameterValidator } from '@capability-router/tool-calls';
import { readManifest } from '../admin/manifest/read-manifest.js';
import { toToolDocument } from '../admin/manifest/to-document.js';
import type { Conversion, ImportedTool, SkippedTool } from './domain/imported.js';

/** Values of one tool. */
const MAX_VALUES = 100_000;

/**
 * Holds imported tools to what is asked of those that people write: what a manifest could not say is skipped with its
 * fault, and a sample that does not fit the parameters is not shown.
 */
export function checkConversion({ tools, skipped }: Conversion): Conversion {
  const validator = new ParameterValidator();
  const kept: ImportedTool[] = [];
  const faulty: SkippedTool[] = [];
  for (const imported of tools) {
    const read = readTool(imported, validator);
    if ('reason' in read) faulty.push(read);
    else kept.push(read);
  }
  return { tools: kept, skipped: [...skipped, ...faulty] };
}

function readTool({ key, tool, notes }: ImportedTool, validator: ParameterValidator): ImportedTool | SkippedTool {
  const contract: ToolContract = {
    ...tool,
    version: 1,
    schemaHash: '',
    provider: { providerId: tool.providerId, name: { en: '' }, description: { en: '' } },
    categoryDefinitions: [],
  };
  let fits: boolean;
  try {
    fits = validator.check(contract, tool.sampleParameters).length === 0;
  } catch (error) {
    return { key, reason: `Its parameters cannot be checked: ${String((error as Error).message).slice(0, 200)}.` };
  }
  // As it travels: what is undefined is absent.
  const document = JSON.parse(JSON.stringify({ kind: 'tool', ...toToolDocument(tool) })) as Record<string, JsonValue>;
  if (!fits) delete document['examples'];
  const read = readManifest(document, { base: [], maxValues: MAX_VALUES });
  const [checked] = read.ok ? read.value.tools : [];
  if (checked !== undefined) return { key, tool: checked.manifest, notes };
  const [fault] = read.ok ? [] : read.error;
  return {
    key,
    reason: `It does not fit the catalogue: ${fault?.loc.join('.') ?? ''}: ${fault?.msg ?? 'unreadable'}.`,
  };
}
