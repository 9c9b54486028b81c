import type { LocalizedText, ToolContract } from '@capability-router/contracts';
import { isJsonObject, type JsonObject } from '@capability-router/kernel';
import type { SearchDocument } from '@capability-router/tool-search';
import { startingPrice } from '@capability-router/tool-calls';
import type { ToolStatistics } from '../statistics/domain/tool-statistics.js';

const texts = (text: LocalizedText): string[] => (text.zh === undefined ? [text.en] : [text.en, text.zh]);

/** The evidence of calls about tools. */
export interface ToolEvidence {
  feedback(toolId: string): readonly { readonly term: string; readonly weight: number }[];
  statistics(toolId: string): ToolStatistics | undefined;
}

export const noEvidence: ToolEvidence = { feedback: () => [], statistics: () => undefined };

/** Both languages of a tool are searched at once, whatever language the answer is in. */
export function toSearchDocument(tool: ToolContract, evidence: ToolEvidence): SearchDocument {
  return {
    toolId: tool.toolId,
    name: texts(tool.name),
    description: texts(tool.description),
    provider: [tool.provider.providerId, ...texts(tool.provider.name)],
    category: [
      ...tool.categoryDefinitions.flatMap((category) => [category.slug, ...texts(category.name)]),
      ...tool.capabilities.flatMap((capability) => [capability.id, ...capability.tags]),
    ],
    params: [...paramTexts(tool.parametersSchema), ...Object.values(tool.parameterDescriptionsZh ?? {})],
    ...evidenceOf(tool, evidence),
  };
}

/** The names of the parameters, each with its description. */
function paramTexts({ properties }: JsonObject): string[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    const description = isJsonObject(schema) ? schema['description'] : undefined;
    return typeof description === 'string' ? [name, description] : [name];
  });
}

/** Equal for what makes no difference to the index; undefined where nothing is known. */
export function evidenceKey(toolId: string, evidence: ToolEvidence): string | undefined {
  const known = knownOf(toolId, evidence);
  return Object.keys(known).length === 0 ? undefined : JSON.stringify(known);
}

function evidenceOf({ toolId, price }: ToolContract, evidence: ToolEvidence) {
  const { feedback, ...rates } = knownOf(toolId, evidence);
  return {
    ...(feedback === undefined ? {} : { feedback }),
    // The same as `expected_cost` of an answer, with the minimum charge.
    quality: { ...rates, priceMicroCredits: Number(startingPrice(price)) },
  };
}

/**
 * Coarse on purpose: a rate in hundredths and a latency of two digits change rarely, so that a busy tool is not indexed
 * anew with every call. Nothing is said from few or old samples.
 */
function knownOf(toolId: string, evidence: ToolEvidence) {
  const feedback = evidence.feedback(toolId);
  const statistics = evidence.statistics(toolId);
  const { successRate, averageMs } = statistics?.status === 'available' ? statistics : {};
  return {
    ...(feedback.length === 0 ? {} : { feedback }),
    ...(successRate === undefined ? {} : { successRate: Number(successRate.toFixed(2)) }),
    ...(averageMs === undefined ? {} : { averageMs: Number(averageMs.toPrecision(2)) }),
  };
}
