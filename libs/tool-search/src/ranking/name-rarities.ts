import type { Dictionary } from '../index/dictionary.js';
import { functionWords } from '../text/stop-words.js';
import { inverseDocumentFrequency } from './resolve-terms.js';

const UNKNOWN = -1;

/** How rare the words of names are, by term number; remembered between searches. */
export class NameRarities {
  private rarities = new Float32Array(0);
  private documents = 0;

  constructor(private readonly dictionary: Dictionary) {}

  /** Before a search among `documents` tools. Rarities are kept until their number changes: what a single tool adds to them is nothing. */
  prepare(documents: number): void {
    if (this.rarities.length < this.dictionary.size) {
      this.rarities = new Float32Array(Math.ceil(this.dictionary.size * 1.25)).fill(UNKNOWN);
    } else if (documents !== this.documents) this.rarities.fill(UNKNOWN);
    this.documents = documents;
  }

  /** 0 for a function word: a name is not said by its `of`. */
  of(number: number): number {
    const known = this.rarities[number] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    const silent = functionWords.has(this.dictionary.textOf(number));
    const rarity = silent
      ? 0
      : inverseDocumentFrequency(this.documents, Math.max(1, this.dictionary.frequencyOf(number)));
    this.rarities[number] = rarity;
    // The rounded number that is remembered, also the first time: tools that say the same must score the same.
    return this.rarities[number] ?? 0;
  }
}
