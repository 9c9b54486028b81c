import { describe, expect, it } from '@jest/globals';
import { slowAfterKills } from './restarts.js';

describe('a start after a kill', () => {
  it('may wait for the session of the one that was killed, and is held to starts after SIGTERM', () => {
    const afterStopMs = [3_000, 9_000, 2_000];
    expect(slowAfterKills({ afterStopMs, afterKillMs: [15_000, 16_000, 70_000] }, 10_000)).toEqual([]);
    expect(slowAfterKills({ afterStopMs, afterKillMs: [3_000, 17_000, 18_000] }, 10_000)).toEqual([
      'ready 17000 ms after kills, at most 16000 ms',
    ]);
  });
});
