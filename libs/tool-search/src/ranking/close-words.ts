import type { Dictionary } from '../index/dictionary.js';
import { isCjk } from '../text/words.js';
import type { WordVectors } from '../vectors/index.js';
import type { Candidate } from './lexical-scores.js';
import type { NameRarities } from './name-rarities.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** By hit, each 0 to 1. */
export interface ClosenessScores {
  /** The share of the tool's name, by rarity of its words, that the query says or nearly says. */
  readonly name: Float32Array;
  /** How near the tool's nearest word is to each word of the query, by importance. */
  readonly words: Float32Array;
  /** The same for that of the most important words to which the tool is least near. */
  readonly leastWord: Float32Array;
}

/** Words of a query that are compared, the most important ones; the others are said as they stand or not at all. */
const MAX_WORDS = 16;
/** The words of which the least near one counts. */
const IMPORTANT_WORDS = 3;
/** The cosine from which a word of a name is nearly said; most pairs of words that have nothing to do with each other are below. */
const LEAST_CLOSENESS = 0.4;
/** A further English word for a Chinese one says as much less as it weighs less than the first. */
const FIRST_GLOSS_WEIGHT = 0.8;

/** One word of a query, in all the ways in which a tool may say it. */
interface SaidWord {
  importance: number;
  /** Numbers of terms, and how near each is to what was said. */
  readonly numbers: Map<number, number>;
  /** Rows of the word vectors. */
  readonly rows: number[];
}

const NOT_LOOKED_UP = 0;
const FIRST_ROW = 2;

/**
 * Compares the words of a query with those of its best hits one by one: by what a text says as a whole, `currency of a country` and
 * `countries of a continent` point alike. Scratch space and what is remembered between searches: arrays by term number.
 */
export class CloseWords {
  /** Row of the word vectors, counted from `FIRST_ROW`. */
  private rows = new Uint32Array(0);
  /** Place of what is known of the term in `found`, counted from 1; of the search at hand. */
  private places = new Uint32Array(0);

  constructor(
    private readonly dictionary: Dictionary,
    private readonly rarities: NameRarities,
    private readonly wordVectors: WordVectors | undefined,
  ) {}

  /** `namesOnly`: the other two are not asked for and stay 0. */
  score(hits: readonly Candidate[], terms: readonly (ResolvedTerm | undefined)[], namesOnly: boolean): ClosenessScores {
    this.fit();
    const said = this.wordsOf(terms);
    const scores = {
      name: new Float32Array(hits.length),
      words: new Float32Array(hits.length),
      leastWord: new Float32Array(hits.length),
    };
    const comparison = new Comparison(said, this.places, (number) => this.rowOf(number), this.wordVectors);
    hits.forEach(({ segment, document }, hit) => {
      const { sequence, sequenceOffsets, nameLengths } = segment;
      const start = sequenceOffsets[document] ?? 0;
      const nameEnd = start + (nameLengths[document] ?? 0);
      const end = namesOnly ? nameEnd : (sequenceOffsets[document + 1] ?? 0);
      let whole = 0;
      let name = 0;
      comparison.begin();
      for (let at = start; at < end; at += 1) {
        const number = sequence[at] ?? 0;
        const near = comparison.take(number);
        if (at >= nameEnd) continue;
        const rarity = this.rarities.of(number);
        whole += rarity;
        if (near > LEAST_CLOSENESS) name += (rarity * (near - LEAST_CLOSENESS)) / (1 - LEAST_CLOSENESS);
      }
      scores.name[hit] = whole === 0 ? 0 : name / whole;
      if (namesOnly) return;
      scores.words[hit] = comparison.mean();
      scores.leastWord[hit] = comparison.leastOf(IMPORTANT_WORDS);
    });
    comparison.end();
    return scores;
  }

  private fit(): void {
    if (this.rows.length >= this.dictionary.size) return;
    const length = Math.ceil(this.dictionary.size * 1.25);
    this.rows = new Uint32Array(length);
    this.places = new Uint32Array(length);
  }

  /** The words of the query that a tool may say, most important first; the English words for a Chinese one are one word. */
  private wordsOf(terms: readonly (ResolvedTerm | undefined)[]): SaidWord[] {
    const chinese = new Map<string, SaidWord>();
    const words: SaidWord[] = [];
    const rowsOf = (text: string): number[] => {
      const row = this.wordVectors?.rowOf(text) ?? -1;
      return row === -1 ? [] : [row];
    };
    for (const term of terms) {
      if (term === undefined || term.weak) continue;
      const { number, importance, surface } = term;
      if (term.said) {
        if (isCjk(term.term)) continue;
        const rows = rowsOf(number === -1 ? term.term : this.dictionary.textOf(number));
        if (number === -1 && rows.length === 0) continue;
        words.push({ importance, numbers: new Map(number === -1 ? [] : [[number, 1]]), rows });
        continue;
      }
      let word = chinese.get(surface);
      if (word === undefined) {
        const itself = this.dictionary.numberOf(surface);
        word = { importance, numbers: new Map(itself === undefined ? [] : [[itself, 1]]), rows: rowsOf(surface) };
        chinese.set(surface, word);
        words.push(word);
      }
      word.importance = Math.max(word.importance, importance);
      if (number !== -1 && !word.numbers.has(number)) {
        word.numbers.set(number, Math.min(1, term.weight / FIRST_GLOSS_WEIGHT));
        if (word.rows.length === 0) word.rows.push(...rowsOf(term.term));
      }
    }
    return words.sort((a, b) => b.importance - a.importance);
  }

  /** The row of a term in the word vectors; -1 where they do not know it. */
  private rowOf(number: number): number {
    let row = this.rows[number] ?? NOT_LOOKED_UP;
    if (row === NOT_LOOKED_UP) {
      const text = this.dictionary.textOf(number);
      row = (isCjk(text) ? -1 : (this.wordVectors?.rowOf(text) ?? -1)) + FIRST_ROW;
      this.rows[number] = row;
    }
    return row - FIRST_ROW;
  }
}

/** How near the words of one tool after the other are to those of a query; what was computed for a term is kept for the next tool. */
class Comparison {
  /** By distinct term of the tools: how near it is to each word, then to the nearest of them. */
  private readonly found: number[] = [];
  private readonly numbers: number[] = [];
  private readonly said: readonly SaidWord[];
  /** By term that is itself a way to say a word: how near it is to each of them for that. */
  private readonly itself = new Map<number, Float64Array>();
  /** How near terms are to what the further words say. */
  private readonly further = new Map<number, number>();
  private readonly best: Float64Array;

  /** `places`: by term number, zero; `end` leaves them so. `rowOf`: of the vectors, -1 where they do not know the term. */
  constructor(
    words: readonly SaidWord[],
    private readonly places: Uint32Array,
    private readonly rowOf: (number: number) => number,
    private readonly wordVectors: WordVectors | undefined,
  ) {
    this.said = words.slice(0, MAX_WORDS);
    for (const { numbers } of words.slice(MAX_WORDS))
      for (const [number, near] of numbers) this.further.set(number, near);
    this.best = new Float64Array(this.said.length);
    this.said.forEach(({ numbers }, word) => {
      for (const [number, near] of numbers) {
        const nears = this.itself.get(number) ?? new Float64Array(this.said.length);
        nears[word] = near;
        this.itself.set(number, nears);
      }
    });
  }

  begin(): void {
    this.best.fill(0);
  }

  /** A term of the tool; answers how near it is to the nearest word. */
  take(number: number): number {
    const { said, best, found } = this;
    let at = (this.places[number] ?? 0) - 1;
    if (at === -1) at = this.compare(number);
    for (let word = 0; word < said.length; word += 1) {
      const near = found[at + word] ?? 0;
      if (near > (best[word] ?? 0)) best[word] = near;
    }
    return found[at + said.length] ?? 0;
  }

  /** Compares a term with each word: 1 where it is what was said, else the cosine; 0 where one of them is not known. Answers its place in `found`. */
  private compare(number: number): number {
    const { said, found, wordVectors } = this;
    const at = found.length;
    this.places[number] = at + 1;
    this.numbers.push(number);
    const row = this.rowOf(number);
    const itself = this.itself.get(number);
    let nearest = this.further.get(number) ?? 0;
    for (let word = 0; word < said.length; word += 1) {
      let near = itself?.[word] ?? 0;
      if (near !== 1 && row !== -1 && wordVectors !== undefined) {
        for (const way of said[word]?.rows ?? []) near = Math.max(near, wordVectors.cosineOf(way, row));
      }
      found.push(near);
      if (near > nearest) nearest = near;
    }
    found.push(nearest);
    return at;
  }

  /** By importance. */
  mean(): number {
    let sum = 0;
    let whole = 0;
    this.said.forEach(({ importance }, word) => {
      sum += importance * (this.best[word] ?? 0);
      whole += importance;
    });
    return whole === 0 ? 0 : sum / whole;
  }

  /** The least of the first `count` words; 0 where there is none. */
  leastOf(count: number): number {
    return this.said.length === 0 ? 0 : Math.min(...this.best.subarray(0, count));
  }

  end(): void {
    for (const number of this.numbers) this.places[number] = 0;
  }
}
