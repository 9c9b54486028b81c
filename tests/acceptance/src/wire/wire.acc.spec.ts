/** @takes-long It asks for every answer, one after the other. */
/**
 * Every answer of the interface is what `answers/` has recorded, byte for byte, but for ids, times and their like. Where
 * a change of an answer is meant, `npm run record:answers` writes the recordings anew, and their diff is reviewed.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCorpusProvider, type CorpusProvider } from './corpus-provider.js';
import { differences } from './differences.js';
import { readRecording, writeRecording } from './recorded-answers.js';
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
      const wire = new Transcript();
      provider.introduceTo(wire);
      // What was asked before a slice gave up says most about why it did.
      const ended = await Promise.allSettled([slice.run(wire, provider)]);
      const failure = ended[0].status === 'rejected' ? (ended[0].reason as Error) : undefined;
      if (isRecording && failure === undefined) writeRecording(name, wire.exchanges);
      const told = differences(readRecording(name), wire.exchanges);
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
