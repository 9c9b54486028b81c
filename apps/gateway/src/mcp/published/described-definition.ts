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

/** Hosts refuse schemas that state groups at the top, so they are said in words. */
const descriptionOf = ({ description, oneOfRequired, price, toolId }: DescribedTool): string =>
  [
    description,
    ...oneOfRequired.map((group) => `Needs at least one of: ${group.join(', ')}.`),
    `Price: ${price} (${toolId})`,
  ].join('\n');
