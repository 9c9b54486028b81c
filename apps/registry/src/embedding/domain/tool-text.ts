import type { LocalizedText, ToolContract } from '@capability-router/contracts';

/** Characters; models read a few hundred words and servers refuse more. */
const MAX_TEXT_LENGTH = 2_000;

const both = ({ en, zh }: LocalizedText): string => (zh === undefined ? en : `${en} (${zh})`);

/** The text of a tool that a model reads. A change of it makes every tool be embedded again. */
export function toolText(tool: ToolContract): string {
  const { name, description, categoryDefinitions, capabilities, provider } = tool;
  const lines = [
    both(name),
    description.en,
    description.zh ?? '',
    categoryDefinitions.map((category) => both(category.name)).join(', '),
    capabilities.flatMap(({ tags }) => tags).join(', '),
    both(provider.name),
  ];
  const text = lines.filter((line) => line !== '').join('\n');
  // Never half of a surrogate pair, which is no text.
  return text.slice(0, MAX_TEXT_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
