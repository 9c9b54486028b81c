import { describe, expect, it } from '@jest/globals';
import { clusterOfWorker } from './cluster-of-worker.js';

describe('clusterOfWorker', () => {
  it('gives each worker a cluster of its own while there are enough, and begins again after that', () => {
    const given = ['1', '2', '3'].map((worker) => clusterOfWorker('postgres://one,postgres://two', worker));
    expect(given).toEqual(['postgres://one', 'postgres://two', 'postgres://one']);
  });

  it('gives every worker the only cluster there is', () => {
    expect([clusterOfWorker('postgres://one', '1'), clusterOfWorker('postgres://one', '7')]).toEqual([
      'postgres://one',
      'postgres://one',
    ]);
  });

  it('gives the first cluster to a run without workers, and refuses what is no number', () => {
    expect(clusterOfWorker('postgres://one,postgres://two')).toBe('postgres://one');
    expect(() => clusterOfWorker('postgres://one', 'x')).toThrow('no number of a worker');
  });
});
