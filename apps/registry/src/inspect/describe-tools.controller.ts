import type { DescribedTool, DescribeToolsResponse, ToolContract } from '@capability-router/contracts';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { billingRuleOf } from '../tool-result/billing-rule.js';
import { DescribeToolsBody } from './describe-tools.request.js';

@Controller()
export class DescribeToolsController {
  constructor(@Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy) {}

  /** Describes the tools that the operator publishes by name, as clients are shown them. */
  // The router takes `::` for a literal colon.
  @Post('internal/tools::describe')
  @HttpCode(200)
  @AllowCallers('gateway')
  async describe(@Body() body: unknown): Promise<DescribeToolsResponse> {
    const { toolIds } = requireValid(DescribeToolsBody, body);
    const published = await this.catalogue.find(toolIds);
    const tools = toolIds.flatMap((toolId) => published.get(toolId) ?? []);
    return { tools: tools.map(descriptionOf) };
  }
}

const descriptionOf = (tool: ToolContract): DescribedTool => ({
  toolId: tool.toolId,
  name: tool.name.en,
  description: tool.description.en,
  price: billingRuleOf(tool.price, 'en').description,
  parametersSchema: tool.parametersSchema,
  oneOfRequired: tool.oneOfRequired,
  builtIn: tool.binding.kind === 'builtin',
});
