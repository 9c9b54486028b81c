import type { OffsetRange } from './partition-offsets.js';

/** The position of a group that has read nothing yet. */
export const START_OFFSET = '0';
/**
 * Offsets that are no events between a position and the oldest record: where a fetch ended between an event and the mark of its
 * transaction, the position stands before the mark.
 */
const MAX_MARKS = 1n;

/** Waiting does not mend it: an operator has to decide. */
export class StandsStill extends Error {}

/**
 * The offset at which a group goes on to read a partition: its position or, where retention has removed what stood there, the oldest
 * record. Throws `StandsStill` where a group that must be `complete` would miss an event, and where the position is of another topic.
 */
export function startOffset(
  position: string,
  range: OffsetRange | undefined,
  { complete, onExpired }: { readonly complete: boolean; onExpired(low: string): void },
): string {
  if (range === undefined) return position;
  const { low, high } = range;
  if (BigInt(position) > high) {
    throw new StandsStill(
      `the position ${position} is beyond the end of the partition (${high}): was the topic created anew? Then stop the services and run: caprouter topics republish`,
    );
  }
  if (BigInt(position) >= low) return position;
  if (low - BigInt(position) > MAX_MARKS) {
    onExpired(`${low}`);
    if (complete && position !== START_OFFSET) {
      throw new StandsStill(
        `events ${position} to ${low - 1n} expired before they were read; settle what they said by hand, then set the position in consumer_positions to ${low}`,
      );
    }
  }
  return `${low}`;
}
