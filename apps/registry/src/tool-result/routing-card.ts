import { localized, type Language, type ToolContract } from '@capability-router/contracts';
import { creditsFromMicro, type Credits } from '@capability-router/kernel';
import { startingPrice } from '@capability-router/tool-calls';
import type { Reliability } from './domain/stats.js';

export interface RoutingCard {
  readonly tool_id: string;
  /** Short text. */
  readonly capability: string;
  readonly cost_class: 'free' | 'low' | 'medium' | 'high';
  /** `unknown` where there are too few samples, or none of late. */
  readonly reliability: Reliability;
  readonly as_of_support: boolean;
}

/** Micro-credits of the starting price up to which (including) a tool is of the class. */
const LOW_COST = creditsFromMicro(1_000_000n);
const MEDIUM_COST = creditsFromMicro(10_000_000n);
/** Characters. */
const MAX_CAPABILITY_LENGTH = 160;

export function toRoutingCard(tool: ToolContract, reliability: Reliability, language: Language): RoutingCard {
  return {
    tool_id: tool.toolId,
    capability: shortened(`${localized(tool.name, language)}: ${firstSentence(localized(tool.description, language))}`),
    cost_class: costClassOf(startingPrice(tool.price)),
    reliability,
    as_of_support: tool.asOfSupport,
  };
}

function costClassOf(price: Credits): RoutingCard['cost_class'] {
  if (price === 0n) return 'free';
  if (price <= LOW_COST) return 'low';
  return price <= MEDIUM_COST ? 'medium' : 'high';
}

/** Up to the first full stop that ends a sentence. */
const firstSentence = (text: string): string => /^.*?(?:[.!?](?=\s|$)|[。！？])/su.exec(text)?.[0] ?? text;

/** Never ends in half a surrogate pair. */
const shortened = (text: string): string =>
  text.length <= MAX_CAPABILITY_LENGTH
    ? text
    : `${text.slice(0, MAX_CAPABILITY_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
