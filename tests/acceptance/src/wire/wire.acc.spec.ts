/** @takes-long It asks for every answer, one after the other. */
/**
 * Every answer of the interface is what `answers/` has recorded, byte for byte, but for ids, times and their like. Where
 * a change of an answer is meant, `npm run record:answers` writes the recordings anew, and their diff is reviewed.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCorpusProvider, type CorpusProvider } from './corpus-provider.js';
import { differences, differInCountsOnly } from './differences.js';
import { recordingOf, writeRecording } from './recorded-answers.js';
import type { Slice } from './slice.js';
import { slices } from './slices/index.js';
import { Transcript } from './transcript.js';

/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
const isRecording = process.env['ACCEPTANCE_RECORD_ANSWERS'] === 'true';

let provider: CorpusProvider;
beforeAll(async () => {
  provider = await startCorpusProvider();
}, TIMEOUT_MS);
afterAll(() => provider.close());

describe('the answers of', () => {
  it.each(slices.map((slice) => [slice.name, slice] as const))(
    '%s are those that are recorded',
    async (name, slice) => {
      let { wire, failure } = await play(slice);
      // A replica of the gateway that does not reach Redis in time counts for itself for a second, as it should.
      if (!isRecording && differInCountsOnly(recordingOf(name), wire.exchanges))
        ({ wire, failure } = await play(slice));
      if (isRecording && failure === undefined) writeRecording(name, wire.exchanges);
      const told = differences(recordingOf(name), wire.exchanges);
      if (told !== '') {
        const head = `answers/${name}.txt has other answers ("npm run record:answers" writes them anew):`;
        throw new Error(`${head}\n\n${told}`, { cause: failure });
      }
      if (failure !== undefined) throw failure;
      expect(wire.exchanges.length).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

/** The answers before a slice gave up say most about why it did. */
async function play(slice: Slice): Promise<{ readonly wire: Transcript; readonly failure: Error | undefined }> {
  const wire = new Transcript();
  provider.introduceTo(wire);
  const [ended] = await Promise.allSettled([slice.run(wire, provider)]);
  return { wire, failure: ended.status === 'rejected' ? (ended.reason as Error) : undefined };
}
