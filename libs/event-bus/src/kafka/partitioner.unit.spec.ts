import { describe, expect, it } from '@jest/globals';
import { Partitioners } from 'kafkajs';

const PARTITIONS = 24;

describe('the partition of a key', () => {
  // From org.apache.kafka.common.utils.Utils.murmur2 of kafka-clients 4.1.0. A change would break order per key.
  it.each([
    ['acc_0190a5c8f0007abc8def0123456789ab', 2],
    ['acc_00000000000000000000000000000001', 22],
    ['geo.distance.compute.v1', 18],
    ['unicode-键', 13],
    ['ledger-date-2026-01-01', 9],
  ])('of %s is %i, as it is for the Java client', (key, partition) => {
    const partitionMetadata = Array.from({ length: PARTITIONS }, (_, partitionId) => ({
      partitionId,
      leader: 1,
      partitionErrorCode: 0,
      replicas: [1],
      isr: [1],
    }));
    const choose = Partitioners.DefaultPartitioner();
    expect(choose({ topic: 'any', partitionMetadata, message: { key, value: null } })).toBe(partition);
  });
});
