import type { DescribedTool } from '@capability-router/contracts';
import type { Tool } from '@modelcontextprotocol/server';

/** How a published tool stands in the list. */
export function describedDefinition(name: string, tool: DescribedTool): Tool {
  const { parametersSchema, builtIn } = tool;
  return {
    name,
    title: tool.name,
    description: descriptionOf(tool),
    inputSchema: { ...parametersSchema, type: 'object' },
    annotations: {
      title: tool.name,
      // A call spends credits, whatever the tool does.
      readOnlyHint: false,
      destructiveHint: !builtIn,
      idempotentHint: false,
      openWorldHint: !builtIn,
    },
  };
}

/** Of groups, hosts refuse schemas that say it at the top, so it is said in words. */
const descriptionOf = ({ description, oneOfRequired, price, toolId }: DescribedTool): string =>
  [
    description,
    ...oneOfRequired.map((group) => `Needs at least one of: ${group.join(', ')}.`),
    `Price: ${price} (${toolId})`,
  ].join('\n');
