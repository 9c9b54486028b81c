const hasHan = /\p{Script=Han}/u;
/** Characters of the longest headword that is looked for. */
export const MAX_HEADWORD_LENGTH = 8;
/** English words that are kept of a headword: more than a search looks up, which takes those that a tool holds. */
export const MAX_GLOSS_WORDS = 8;

export interface Gloss {
  /** The Chinese word. */
  readonly chinese: string;
  /** In lower case. */
  readonly english: string;
}

/** A headword with its gloss words, best first, none twice. */
export type GlossEntry = readonly [headword: string, words: readonly string[]];

/** The parts of a dictionary, which can be handed from thread to thread. */
export interface PackedGlosses {
  /** In ascending order of code units, one after the other. */
  readonly headwords: string;
  /** Where each headword begins in `headwords`, and the end. */
  readonly starts: Uint32Array;
  /** Eight for each headword, places in `words`. */
  readonly wordNumbers: Uint16Array;
  readonly words: readonly string[];
}

/** English words for Chinese ones, packed: headwords in ascending order in one string, eight word numbers each. */
export class ChineseGlosses {
  readonly packed: PackedGlosses;

  /** `entries` in ascending order of headwords by code unit; at most 65,534 different gloss words are kept. */
  constructor(entries: readonly GlossEntry[]) {
    this.packed = pack(entries);
  }

  static unpack(packed: PackedGlosses): ChineseGlosses {
    return Object.assign(new ChineseGlosses([]), { packed });
  }

  get size(): number {
    return this.packed.starts.length - 1;
  }

  /**
   * The glosses of a run of Chinese characters, word by word, of each the best first: at each place the longest headword
   * that ends where a word ends, else the longest within the word, else the longest. None of a run of kana or of Hangul alone, which would
   * be sought in vain, for a tenth of a second where it is long.
   */
  of(run: string): Gloss[] {
    if (!hasHan.test(run)) return [];
    const found: Gloss[] = [];
    const ends = wordEnds(run);
    for (let at = 0; at < run.length;) {
      const length = this.longestAt(run, at, ends);
      if (length > 0) this.addGlosses(run.slice(at, at + length), found);
      at += Math.max(1, length);
    }
    return found;
  }

  private longestAt(run: string, at: number, ends: ReadonlySet<number>): number {
    let longest = 0;
    let inside = 0;
    let end = at + 1;
    while (end < run.length && !ends.has(end)) end += 1;
    for (let length = Math.min(MAX_HEADWORD_LENGTH, run.length - at); length > 0; length -= 1) {
      if (this.entryOf(run.slice(at, at + length)) === -1) continue;
      if (ends.has(at + length)) return length;
      if (longest === 0) longest = length;
      if (inside === 0 && at + length < end) inside = length;
    }
    return inside === 0 ? longest : inside;
  }

  private addGlosses(headword: string, found: Gloss[]): void {
    const entry = this.entryOf(headword);
    for (let rank = 0; rank < MAX_GLOSS_WORDS; rank += 1) {
      const number = this.packed.wordNumbers[entry * MAX_GLOSS_WORDS + rank] ?? NO_WORD;
      if (number === NO_WORD) return;
      found.push({ chinese: headword, english: this.packed.words[number] ?? '' });
    }
  }

  private entryOf(headword: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.headwordAt(middle) < headword) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.headwordAt(low) === headword ? low : -1;
  }

  private headwordAt(entry: number): string {
    return this.packed.headwords.slice(this.packed.starts[entry], this.packed.starts[entry + 1]);
  }
}

const NO_WORD = 0xffff;

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Where words of the run end, as ICU parts them by how common they are. */
const wordEnds = (run: string): ReadonlySet<number> =>
  new Set(Array.from(segmenter.segment(run), ({ index, segment }) => index + segment.length));

function pack(entries: readonly GlossEntry[]): PackedGlosses {
  const numbers = new Map<string, number>();
  const starts = new Uint32Array(entries.length + 1);
  const wordNumbers = new Uint16Array(entries.length * MAX_GLOSS_WORDS).fill(NO_WORD);
  entries.forEach(([headword, words], entry) => {
    starts[entry + 1] = (starts[entry] ?? 0) + headword.length;
    words.slice(0, MAX_GLOSS_WORDS).forEach((word, rank) => {
      const number = numbers.get(word) ?? numbers.size;
      if (number >= NO_WORD) return;
      numbers.set(word, number);
      wordNumbers[entry * MAX_GLOSS_WORDS + rank] = number;
    });
  });
  const headwords = entries.map(([headword]) => headword).join('');
  return { headwords, starts, wordNumbers, words: [...numbers.keys()] };
}
