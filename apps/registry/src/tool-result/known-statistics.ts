import type { ToolStatistics } from '../statistics/domain/tool-statistics.js';

/** What `StatisticsCopy` gives; undefined of what was never called. */
export interface StatisticsReader {
  get(toolId: string): ToolStatistics | undefined;
  ofProvider(providerId: string): ToolStatistics | undefined;
}

/** Statistics for every tool and provider: of one that was never called, that there are no samples. */
export class KnownStatistics {
  private readonly neverCalled: ToolStatistics;

  /** `window`: as `ToolStatistics` names it. */
  constructor(
    private readonly reader: StatisticsReader,
    window: string,
  ) {
    this.neverCalled = { sampleCount: 0, status: 'insufficient', window };
  }

  ofTool(toolId: string): ToolStatistics {
    return this.reader.get(toolId) ?? this.neverCalled;
  }

  ofProvider(providerId: string): ToolStatistics {
    return this.reader.ofProvider(providerId) ?? this.neverCalled;
  }
}
