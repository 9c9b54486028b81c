import type { Language, ToolContract } from '@capability-router/contracts';
import type { SearchHit } from '@capability-router/tool-search';
import type { ToolStatistics } from '../statistics/domain/tool-statistics.js';
import { toRoutingCard, type RoutingCard } from '../tool-result/routing-card.js';
import { reliabilityOf, statsOf } from '../tool-result/domain/stats.js';
import type { ToolDescription, ToolResult } from '../tool-result/tool-result.js';
import type { Standing } from '../tool-result/tool-standing.js';
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
  /** A model that the deployment ranks with did not answer in time; absent where nothing is missing. */
  readonly degraded?: true;
  /** Where there are no results: that nothing fits, and the nearest categories. */
  readonly notice?: string;
  readonly error_message: string | null;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

export interface FoundTool {
  readonly tool: ToolContract;
  readonly hit: SearchHit;
  readonly statistics: ToolStatistics;
}

/** Everything that is told of a tool beside why it was found. */
export interface KnownOfTools {
  readonly describe: (tool: ToolContract, language: Language) => ToolDescription;
  readonly standing: (tool: ToolContract) => Standing;
}

/**
 * The answers in the order of the search. Near-ties and a reranker move a tool behind one of a lower score; the scores that
 * are shown never rise from one result to the next, so that whoever sorts by them keeps the order.
 */
export function toSearchResults(
  found: readonly FoundTool[],
  view: 'full' | 'routing',
  language: Language,
  { describe, standing }: KnownOfTools,
): (DiscoveredTool | RoutingCard)[] {
  if (view === 'routing') {
    return found.map(({ tool, statistics }) => toRoutingCard(tool, reliabilityOf(statistics), language));
  }
  let score = Number.POSITIVE_INFINITY;
  let finalScore = 1;
  return found.map(({ tool, hit, statistics }) => {
    score = Math.min(score, hit.score);
    finalScore = Math.min(finalScore, hit.finalScore);
    const reason = whyRecommended(hit, language);
    return {
      ...describe(tool, language),
      stats: statsOf(statistics),
      ...standing(tool),
      score: rounded(score),
      final_score: rounded(finalScore),
      ...(reason === undefined ? {} : { why_recommended: reason }),
    };
  });
}
