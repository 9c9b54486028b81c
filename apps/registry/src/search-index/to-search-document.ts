import { paramsFromSchema } from '@capability-router/contracts';
import type { LocalizedText, ToolContract } from '@capability-router/contracts';
import type { SearchDocument } from '@capability-router/tool-search';

const texts = (text: LocalizedText): string[] => (text.zh === undefined ? [text.en] : [text.en, text.zh]);

/** Both languages of a tool are searched at once, whatever language the answer is in. */
export function toSearchDocument(tool: ToolContract): SearchDocument {
  const params = paramsFromSchema(tool.parametersSchema, { constraints: false });
  return {
    toolId: tool.toolId,
    name: texts(tool.name),
    description: texts(tool.description),
    provider: [tool.provider.providerId, ...texts(tool.provider.name)],
    category: [
      ...tool.categoryDefinitions.flatMap((category) => [category.slug, ...texts(category.name)]),
      ...tool.capabilities.flatMap((capability) => [capability.id, ...capability.tags]),
    ],
    params: [
      ...params.flatMap(({ name, description }) => (description === undefined ? [name] : [name, description])),
      ...Object.values(tool.parameterDescriptionsZh ?? {}),
    ],
  };
}
