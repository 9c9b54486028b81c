import { hashPriceRule, type ToolContract } from '@capability-router/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { ToolDirectory } from '../../tool-copies/tool-directory.js';
import type { Skipped } from '../request/domain/call.js';
import { contractChanged } from './domain/none-to-run.js';
import { unavailableTool } from './domain/refusals.js';

/** The tool of an attempt, as it was when the attempt was chosen. */
export interface PlannedTool {
  readonly toolId: string;
  readonly toolVersion: number;
  readonly priceRuleHash: string;
}

/** Compares what was planned with the tools that this replica knows now. */
@Injectable()
export class PlannedTools {
  constructor(@Inject(ToolDirectory) private readonly tools: ToolDirectory) {}

  /** The tool, where it is still published in that version and at that price; otherwise why it is not called. */
  async find({ toolId, toolVersion, priceRuleHash }: PlannedTool): Promise<ToolContract | Skipped> {
    const copy = await this.tools.find(toolId);
    if (copy === undefined) return contractChanged;
    if (copy.retired) return { reason: 'unavailable', message: unavailableTool(toolId).message };
    const { tool } = copy;
    return tool.version === toolVersion && hashPriceRule(tool.price) === priceRuleHash ? tool : contractChanged;
  }

  /** Why a tool that was found earlier is not called any more; undefined where nothing has changed. */
  whyGone({ toolId, version }: ToolContract): Skipped | undefined {
    const known = this.tools.known(toolId);
    if (known?.retired === true) return { reason: 'unavailable', message: unavailableTool(toolId).message };
    // A version has one contract, and with it one price.
    return known?.version === version ? undefined : contractChanged;
  }
}
