import { describe, expect, it } from '@jest/globals';
import { followTopic } from './verify-topic.js';

type Topics = Parameters<typeof followTopic>[0];

/** A topic of which retention took records: three of one chain, none of the other. */
function keptBy(expired: boolean): Topics {
  const numbers = { acc_one: [4, 5], acc_two: [1, 2] };
  return {
    read: async (_topic, { handle }) => {
      for (const [chain, kept] of Object.entries(numbers)) {
        for (const entrySeq of kept) {
          const data = { chain, entrySeq, entryId: `entry-${entrySeq}`, previousHash: 'before', hash: 'own' };
          await handle({ type: 'SecurityLogEntryRecorded', data } as unknown as Parameters<typeof handle>[0], 0);
        }
      }
      return { events: 4, malformed: 0, expired };
    },
  };
}

describe('following the topic of the security log', () => {
  it('tells a program how many records of the chains are no longer kept', async () => {
    const { entries, told } = await followTopic(keptBy(true));
    expect([entries, told]).toEqual([4, { malformed_records: 0, deleted_records: 3 }]);
  });

  it('counts a record that is missing as missing and not as deleted where retention took nothing', async () => {
    const { told, findings } = await followTopic(keptBy(false), 'acc_one');
    expect([told.deleted_records, findings.length]).toEqual([0, 2]);
  });

  it('tells how many records it has read, and then how many entries it has followed', async () => {
    const told: [number, string][] = [];
    await followTopic(keptBy(false), undefined, (...reached) => void told.push(reached));
    expect(told.slice(0, 4).map(([records, note]) => `${records} ${note}`)).toEqual(
      [1, 2, 3, 4].map((n) => `${n} reading`),
    );
    expect(told.at(-1)).toEqual([4, 'followed: 4']);
  });
});
