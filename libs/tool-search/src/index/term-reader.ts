import { runsOf } from '../text/words.js';
import { termsOfRun, type TermRules } from '../tokenize.js';
import type { Dictionary } from './dictionary.js';
import { Growing } from './growing.js';

/** Places of the table of remembered runs; at most half of them are taken. */
const tablePlaces = { few: 1 << 15, many: 1 << 19 } as const;
/** FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
/** Murmur3: the low bits of the product alone part short runs badly. */
const HASH_SHIFT = 15;
/** Values of a run, and which is which. */
const RUN_VALUES = 4;
const BYTES_END = 1;
const TERMS_END = 2;
const FIRST_TERM = 3;
const FIRST_BEYOND_ASCII = 128;

const isWordCode = Uint8Array.from({ length: FIRST_BEYOND_ASCII }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0,
);
const encoder = new TextEncoder();

/**
 * Turns texts into term numbers. Lives as long as a segment is built, or as the index, for the changes of it. Most runs of a catalogue come again and again: they
 * are found by their bytes in place, without cutting a string for each.
 */
export class TermReader {
  /** The list that was read last: the first `length` numbers. The next reading overwrites it. */
  numbers = new Uint32Array(1_024);
  length = 0;

  private bytes = Buffer.allocUnsafeSlow(4_096);
  /** By hash, with the next free place where it is taken: number of a run, counted from 1. */
  private readonly table: Uint32Array;
  private count = 0;
  /** Four values a run: its hash, where its bytes end, where its terms end, its first term. The first run is none. */
  private readonly runs = new Growing((length) => new Uint32Array(length));
  /** Bytes of all runs, one after the other. */
  private readonly runBytes = new Growing((length) => new Uint8Array(length));
  /** Term numbers of all runs, likewise. */
  private readonly runTerms = new Growing((length) => new Uint32Array(length));

  constructor(
    private readonly dictionary: Dictionary,
    private readonly rules: TermRules,
    documents: keyof typeof tablePlaces,
  ) {
    this.table = new Uint32Array(tablePlaces[documents]);
    this.runs.reserve(RUN_VALUES);
  }

  /** As `documentTerms` of one text after the other, into `numbers`. */
  read(texts: readonly string[]): void {
    this.length = 0;
    // One call for all: what separates texts separates words.
    if (texts.length > 1 && this.readAscii(texts.join('\n'))) return;
    for (const text of texts) if (!this.readAscii(text)) this.readAnyScript(text);
  }

  /** False, and nothing read, for a text that is not all ASCII. */
  private readAscii(text: string): boolean {
    if (text.length > this.bytes.length) this.bytes = Buffer.allocUnsafeSlow(2 * text.length);
    const { read, written } = encoder.encodeInto(text, this.bytes);
    if (read !== text.length || written !== read) return false;
    this.scan(read);
    return true;
  }

  private scan(end: number): void {
    const { bytes } = this;
    let at = 0;
    while (at < end) {
      while (at < end && isWordCode[bytes[at] ?? 0] === 0) at += 1;
      const start = at;
      let hash = HASH_START;
      for (let code = bytes[at] ?? 0; at < end && isWordCode[code] === 1; code = bytes[at] ?? 0) {
        hash = Math.imul(hash ^ code, HASH_FACTOR);
        at += 1;
      }
      if (at > start) this.addRun(start, at, hash);
    }
  }

  private readAnyScript(text: string): void {
    for (const run of runsOf(text)) {
      for (const term of termsOfRun(run, this.rules)) this.push(this.dictionary.add(term));
    }
  }

  private addRun(start: number, end: number, hash: number): void {
    const { table } = this;
    const runs = this.runs.values;
    const places = table.length - 1;
    let place = (hash ^ (hash >>> HASH_SHIFT)) & places;
    for (let run = table[place] ?? 0; run !== 0; run = table[place] ?? 0) {
      const at = RUN_VALUES * run;
      if (((runs[at] ?? 0) | 0) === hash && this.isAt(start, end, at)) {
        const first = runs[at - RUN_VALUES + TERMS_END] ?? 0;
        const last = runs[at + TERMS_END] ?? 0;
        // Most runs are one term, which is at hand here.
        if (last - first === 1) this.push(runs[at + FIRST_TERM] ?? 0);
        else for (let term = first; term < last; term += 1) this.push(this.runTerms.values[term] ?? 0);
        return;
      }
      place = (place + 1) & places;
    }
    this.addFreshRun(start, end, hash, place);
  }

  private isAt(start: number, end: number, run: number): boolean {
    const { bytes } = this;
    const runs = this.runs.values;
    const known = this.runBytes.values;
    let from = runs[run - RUN_VALUES + BYTES_END] ?? 0;
    if ((runs[run + BYTES_END] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at += 1, from += 1) if (bytes[at] !== known[from]) return false;
    return true;
  }

  private addFreshRun(start: number, end: number, hash: number, place: number): void {
    const run = this.bytes.toString('latin1', start, end);
    const terms = termsOfRun(run, this.rules).map((term) => this.dictionary.add(term));
    for (const term of terms) this.push(term);
    if (2 * this.count >= this.table.length) return;
    this.count += 1;
    this.table[place] = this.count;
    for (let at = start; at < end; at += 1) this.runBytes.push(this.bytes[at] ?? 0);
    for (const term of terms) this.runTerms.push(term);
    const at = this.runs.reserve(RUN_VALUES);
    this.runs.values.set([hash, this.runBytes.length, this.runTerms.length, terms[0] ?? 0], at);
  }

  private push(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length] = number;
    this.length += 1;
  }
}
