import type { Dictionary } from '../index/dictionary.js';
import type { Candidate } from './lexical-scores.js';
import type { NameRarities } from './name-rarities.js';
import type { ResolvedTerm } from './resolve-terms.js';

/** The scores that depend on the order of a tool's words. */
export interface OrderScores {
  /** By candidate: the share of the name, by rarity of its words, that the query says. */
  readonly name: Float32Array;
  /** By candidate: pairs of neighbours that query and tool share, divided by the largest of the query. */
  readonly pairs: Float32Array;
}

/** Scratch space: an array by term number. */
export class OrderScorer {
  /** By term number: the place of a query's word in `terms`, counted from 1; 0 for other terms. */
  private places = new Uint16Array(0);

  constructor(
    private readonly dictionary: Dictionary,
    private readonly rarities: NameRarities,
  ) {}

  score(
    candidates: readonly Candidate[],
    terms: readonly (ResolvedTerm | undefined)[],
    pairs: readonly (readonly [number, number])[],
  ): OrderScores {
    if (this.places.length < this.dictionary.size) {
      this.places = new Uint16Array(Math.ceil(this.dictionary.size * 1.25));
    }
    terms.forEach((term, place) => {
      if (term !== undefined && term.number !== -1) this.places[term.number] = place + 1;
    });
    const scores = this.scoreAll(candidates, terms, new PairTable(terms, pairs));
    for (const term of terms) if (term !== undefined && term.number !== -1) this.places[term.number] = 0;
    return scores;
  }

  private scoreAll(
    candidates: readonly Candidate[],
    terms: readonly (ResolvedTerm | undefined)[],
    table: PairTable,
  ): OrderScores {
    const { places, rarities } = this;
    const name = new Float32Array(candidates.length);
    const shared = new Float32Array(candidates.length);
    let mostShared = 0;
    for (let index = 0; index < candidates.length; index += 1) {
      const candidate = candidates[index];
      if (candidate === undefined) break;
      // It holds no word of the query: nothing of its name is said, and no pair is shared.
      if (candidate.plain === 0) continue;
      const { segment, document } = candidate;
      const { sequence } = segment;
      const start = segment.sequenceOffsets[document] ?? 0;
      const nameEnd = start + (segment.nameLengths[document] ?? 0);
      const end = segment.sequenceOffsets[document + 1] ?? 0;
      let whole = 0;
      let said = 0;
      let previous = 0;
      let sum = 0;
      table.begin();
      for (let at = start; at < end; at += 1) {
        const number = sequence[at] ?? 0;
        const place = places[number] ?? 0;
        if (at < nameEnd) {
          const rarity = rarities.of(number);
          whole += rarity;
          if (place !== 0) said += rarity;
        }
        if (place !== 0 && previous !== 0 && table.takes(previous - 1, place - 1)) {
          sum += (terms[previous - 1]?.importance ?? 0) + (terms[place - 1]?.importance ?? 0);
        }
        previous = place;
      }
      name[index] = whole === 0 ? 0 : said / whole;
      shared[index] = sum;
      if (sum > mostShared) mostShared = sum;
    }
    if (mostShared > 0) for (let at = 0; at < shared.length; at += 1) shared[at] = (shared[at] ?? 0) / mostShared;
    return { name, pairs: shared };
  }
}

/** The neighbours of a query, by places in its terms; of one tool each is taken once. */
class PairTable {
  private readonly width: number;
  /** 0: no neighbours; else the number of the last tool that took the pair, counted from 1. */
  private readonly takenBy: Uint16Array;
  private tool = 1;

  constructor(terms: readonly unknown[], pairs: readonly (readonly [number, number])[]) {
    this.width = terms.length;
    this.takenBy = new Uint16Array(this.width * this.width);
    for (const [first, second] of pairs) this.takenBy[first * this.width + second] = 1;
  }

  begin(): void {
    this.tool += 1;
  }

  takes(first: number, second: number): boolean {
    const at = first * this.width + second;
    const by = this.takenBy[at] ?? 0;
    if (by === 0 || by === this.tool) return false;
    this.takenBy[at] = this.tool;
    return true;
  }
}
