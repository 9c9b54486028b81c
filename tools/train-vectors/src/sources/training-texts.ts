import { documentTerms } from '@capability-router/tool-search';
import type { Random } from '../model/random.js';
import type { Terms } from '../model/vocabulary.js';
import type { Operation } from './openapi-operations.js';
import type { Synset } from './wordnet.js';

/** A text that the teacher is asked about, and its terms as the engine reads them. */
export interface TrainingText {
  readonly text: string;
  readonly terms: Terms;
}

/** Characters. */
const MAX_SUMMARY = 120;
const MAX_TEXT = 220;
const MIN_TEXT = 3;
/** How many of what there is plenty of are taken: the teacher reads some hundred texts a second. */
const PARTS = { api: 0.5, operationSpan: 0.7, glossSpan: 0.2, gloss: 0.4, words: 0.3 };
/** Words of a span, which stands for a short need; it is taken from the first words of a text. */
const SPAN = { least: 2, most: 6, ofFirst: 40 };
/** A word is a text of its own where so many texts say it. */
const MIN_TEXTS_OF_WORD = 4;

const noise = /<[^>]+>|https?:\S+|[`*#[\]{}|]/g;
const cleaned = (text: string): string => text.replaceAll(noise, ' ').replaceAll(/\s+/g, ' ').trim();

/**
 * Texts of many styles and lengths, none twice: summaries and descriptions of operations with and without their names,
 * definitions, words with one meaning, short spans of all these, and single words.
 */
export function trainingTexts(
  operations: readonly Operation[],
  synsets: readonly Synset[],
  random: Random,
): TrainingText[] {
  const texts = new Collector(random);
  for (const { api, name, summary, description } of operations) {
    const [called = ''] = name.split('/');
    const told = description === '' ? summary : description;
    texts.add(summary, MAX_SUMMARY);
    texts.add(`${called.trim()}. ${told}`);
    texts.addSome(PARTS.api, () => `${api}: ${summary === '' ? called : summary}`);
    texts.addSome(PARTS.operationSpan, () => texts.spanOf(summary));
    texts.addSome(PARTS.operationSpan, () => texts.spanOf(told));
  }
  for (const { words, gloss } of synsets) {
    texts.addSome(PARTS.gloss, () => gloss);
    texts.addSome(PARTS.words, () => words.replaceAll('_', ' '));
    texts.addSome(PARTS.glossSpan, () => texts.spanOf(gloss));
  }
  texts.addWords();
  return texts.all;
}

class Collector {
  readonly all: TrainingText[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly random: Random) {}

  add(text: string, most = MAX_TEXT): void {
    const kept = cleaned(text).slice(0, most);
    if (kept.length < MIN_TEXT || this.known.has(kept.toLowerCase())) return;
    this.known.add(kept.toLowerCase());
    const terms = documentTerms(kept);
    if (terms.length > 0) this.all.push({ text: kept, terms });
  }

  addSome(part: number, text: () => string): void {
    if (this.random() < part) this.add(text());
  }

  /** Empty where the text is too short for one. */
  spanOf(text: string): string {
    const words = cleaned(text)
      .replaceAll(/[.,;:()]+/g, ' ')
      .split(/\s+/)
      .slice(0, SPAN.ofFirst);
    const length = SPAN.least + Math.floor(this.random() * (SPAN.most - SPAN.least + 1));
    if (words.length <= length) return '';
    const from = Math.floor(this.random() * (words.length - length));
    return words.slice(from, from + length).join(' ');
  }

  addWords(): void {
    const texts = new Map<string, number>();
    for (const { text } of this.all) {
      for (const word of new Set(text.toLowerCase().match(/[a-z]+/g))) texts.set(word, (texts.get(word) ?? 0) + 1);
    }
    for (const [word, count] of texts) if (count >= MIN_TEXTS_OF_WORD) this.add(word);
  }
}
