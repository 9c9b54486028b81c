import {
  localized,
  paramsFromSchema,
  type Language,
  type ParamDefinition,
  type ToolContract,
} from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { billingRuleOf, expectedCost, type BillingRule } from './billing-rule.js';
import type { Stats } from './domain/stats.js';
import type { Standing } from './tool-standing.js';

interface ToolCard {
  readonly tool_id: string;
  readonly name: string;
  readonly description: string;
  readonly provider_name: string;
  readonly params: readonly ParamDefinition[];
  readonly one_of_required: readonly (readonly string[])[];
  readonly expected_cost: string;
}

/** A free word of the tool's publisher. */
interface CapabilityTag {
  /** The name in lower case, words joined by hyphens. */
  readonly id: string;
  readonly name: string;
}

const tagOf = (name: string): CapabilityTag => ({
  id:
    name
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join('-') ?? name,
  name,
});

/** Inspect with `view=lean`: what it takes to call the tool. */
export type LeanToolResult = ToolCard;

/** Everything of a tool that changes with its contract alone. */
export interface ToolDescription extends ToolCard {
  readonly provider_id: string;
  readonly provider_description: string;
  readonly category?: string;
  readonly categories: readonly { readonly slug: string; readonly name: string; readonly description: string }[];
  readonly capabilities: readonly { readonly id: string; readonly tag: readonly CapabilityTag[] }[];
  readonly region: string;
  readonly examples: { readonly sample_parameters: JsonObject };
  readonly billing_rule: BillingRule;
  readonly docs_url?: string;
}

export interface ToolResult extends ToolDescription, Standing {
  readonly stats: Stats;
}

function cardOf(tool: ToolContract, language: Language, constraints: boolean): ToolCard {
  const { parameterDescriptionsZh } = tool;
  const descriptions = language === 'zh' ? parameterDescriptionsZh : undefined;
  return {
    tool_id: tool.toolId,
    name: localized(tool.name, language),
    description: localized(tool.description, language),
    provider_name: localized(tool.provider.name, language),
    params: paramsFromSchema(tool.parametersSchema, {
      constraints,
      ...(descriptions === undefined ? {} : { descriptions }),
    }),
    one_of_required: tool.oneOfRequired,
    expected_cost: expectedCost(tool.price),
  };
}

export const toLeanResult = (tool: ToolContract, language: Language): LeanToolResult => cardOf(tool, language, false);

export interface DescriptionOptions {
  readonly language: Language;
  /** Params with defaults and bounds, as Inspect shows them. */
  readonly constraints: boolean;
}

/** Everything that is published of a tool; what it does not have is absent. */
export function describeTool(tool: ToolContract, { language, constraints }: DescriptionOptions): ToolDescription {
  const categories = tool.categoryDefinitions.map((category) => ({
    slug: category.slug,
    name: localized(category.name, language),
    description: localized(category.description, language),
  }));
  const [first] = categories;
  return {
    ...cardOf(tool, language, constraints),
    provider_id: tool.providerId,
    provider_description: localized(tool.provider.description, language),
    ...(first === undefined ? {} : { category: first.slug }),
    categories,
    capabilities: tool.capabilities.map(({ id, tags }) => ({ id, tag: tags.map(tagOf) })),
    region: tool.region ?? 'global',
    examples: { sample_parameters: tool.sampleParameters },
    billing_rule: billingRuleOf(tool.price, language),
    ...(tool.docsUrl === undefined ? {} : { docs_url: tool.docsUrl }),
  };
}

export const toToolResult = (
  tool: ToolContract,
  known: Pick<ToolResult, 'stats' | keyof Standing>,
  options: DescriptionOptions,
): ToolResult => ({ ...describeTool(tool, options), ...known });
