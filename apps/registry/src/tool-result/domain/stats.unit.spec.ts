import { describe, expect, it } from '@jest/globals';
import type { ToolStatistics } from '../../statistics/domain/tool-statistics.js';
import { reliabilityOf, statsOf } from './stats.js';

const available: ToolStatistics = {
  sampleCount: 200,
  successRate: 0.985,
  averageMs: 41.5,
  p95Ms: 90,
  status: 'available',
  window: '30d',
  lastCheckedAt: '2026-01-01T00:00:00.000Z',
};

describe('stats of a tool', () => {
  it('are shown with what they rest on', () => {
    expect(statsOf(available)).toEqual({
      avg_execution_time_ms: 41.5,
      p95_execution_time_ms: 90,
      success_rate: 0.985,
      sample_count: 200,
      data_status: 'available',
      window: '30d',
      last_checked_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('leave out a number that there is not, rather than say null', () => {
    expect(statsOf({ sampleCount: 2, status: 'insufficient', window: '30d' })).toEqual({
      sample_count: 2,
      data_status: 'insufficient',
      window: '30d',
    });
  });
});

describe('reliability', () => {
  it.each([
    [1, 'A'],
    [0.99, 'A'],
    [0.9899, 'B'],
    [0.95, 'B'],
    [0.9499, 'C'],
    [0.8, 'C'],
    [0.7999, 'D'],
    [0, 'D'],
  ])('at a success rate of %d is %s', (successRate, grade) => {
    expect(reliabilityOf({ ...available, successRate })).toBe(grade);
  });

  it.each(['insufficient', 'stale', 'unavailable'] as const)('is unknown where the evidence is %s', (status) => {
    expect(reliabilityOf({ ...available, status })).toBe('unknown');
  });
});
