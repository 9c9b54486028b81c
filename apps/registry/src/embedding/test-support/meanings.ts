import type { ToolManifest } from '@capability-router/contracts';
import { sampleSource, sampleTool } from '../../test-support/sample-catalogue.js';

/** A tool of which a word tells what it does. */
export const wordTool = (name: string, word: string): ToolManifest =>
  sampleTool({ toolId: `geokit.${name}.get.v1`, name: { en: word }, description: { en: `${word} of a given day.` } });

export const distance = sampleTool();
export const moon = wordTool('moon', 'Moon phase');
export const tide = wordTool('tide', 'Tide table');
export const sourceOf = (...tools: ToolManifest[]) => sampleSource({ tools });

/** A query that shares no word with `moon`, in words that the word vectors do not know: a model alone finds the tool. */
export const plenilunium = 'plenilunium hodie';

/** The vector of a text: that of `moon` and of `plenilunium` is the same. */
export const meaning = (text: string): number[] => {
  if (/moon|plenilunium/i.test(text)) return [1, 0.1, 0];
  return /distance/i.test(text) ? [0, 1, 0.1] : [0.1, 0, 1];
};

/** Milliseconds, the most that may be set: a machine that stands still for a moment is not late. */
export const ROOMY_BUDGET_MS = '5000';

const DEADLINE_MS = 40_000;

/** Resolves to the first value that `holds`; rejects after 40 seconds. */
export async function eventually<T>(get: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const value = await get();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`it did not come; last: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
