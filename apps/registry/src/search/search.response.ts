import type { Language, ToolContract } from '@capability-router/contracts';
import type { SearchHit } from '@capability-router/tool-search';
import { toRoutingCard } from '../tool-result/domain/routing-card.js';
import type { RoutingCard } from '../tool-result/domain/routing-card.js';
import { toToolResult } from '../tool-result/domain/tool-result.js';
import type { ToolResult } from '../tool-result/domain/tool-result.js';
import { whyRecommended } from '../tool-result/why-recommended.js';

export interface DiscoveredTool extends ToolResult {
  readonly score: number;
  /** 0 to 1. */
  readonly final_score: number;
  readonly why_recommended?: string;
}

export interface SearchResponse {
  readonly query: string;
  readonly search_id: string;
  readonly total: number;
  readonly results: readonly (DiscoveredTool | RoutingCard)[];
  readonly elapsed_time_ms: number;
  readonly remaining_credits?: number;
  readonly error_message: string | null;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

export function toSearchResult(
  tool: ToolContract,
  hit: SearchHit,
  view: 'full' | 'routing',
  language: Language,
): DiscoveredTool | RoutingCard {
  if (view === 'routing') return toRoutingCard(tool, language);
  const reason = whyRecommended(hit, language);
  return {
    ...toToolResult(tool, language, false),
    score: rounded(hit.score),
    final_score: rounded(hit.finalScore),
    ...(reason === undefined ? {} : { why_recommended: reason }),
  };
}
