import { CONFIG } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { windowName, type ToolStatistics } from '../statistics/domain/tool-statistics.js';
import type { StatisticsConfig } from '../statistics/statistics-config.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';

/** Gives what `StatisticsCopy` does; undefined for a tool or provider that was never called. */
export interface StatisticsReader {
  get(toolId: string): ToolStatistics | undefined;
  ofProvider(providerId: string): ToolStatistics | undefined;
}

/** Statistics for every tool and provider: of one that was never called, that there are no samples. */
@Injectable()
export class KnownStatistics {
  private readonly neverCalled: ToolStatistics;

  constructor(
    @Inject(StatisticsCopy) private readonly reader: StatisticsReader,
    @Inject(CONFIG) { evidence }: StatisticsConfig,
  ) {
    const window = windowName(evidence.statistics);
    this.neverCalled = { sampleCount: 0, status: 'insufficient', window };
  }

  ofTool(toolId: string): ToolStatistics {
    return this.reader.get(toolId) ?? this.neverCalled;
  }

  ofProvider(providerId: string): ToolStatistics {
    return this.reader.ofProvider(providerId) ?? this.neverCalled;
  }
}
