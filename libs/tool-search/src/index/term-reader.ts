import { runsOf } from '../text/words.js';
import { termsOfRun } from '../tokenize.js';
import type { TermRules } from '../tokenize.js';
import type { Dictionary } from './dictionary.js';

/** Texts that are remembered; catalogues repeat themselves, in descriptions of parameters above all. */
const MAX_REMEMBERED_TEXTS = 20_000;
/** Characters; longer texts seldom come again. */
const MAX_REMEMBERED_LENGTH = 160;
/** Places of the table of remembered runs; at most half of them are taken. */
const tablePlaces = { few: 1 << 11, many: 1 << 18 } as const;
/** FNV-1a. */
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const FIRST_BEYOND_ASCII = 128;

const isWordCode = Uint8Array.from({ length: FIRST_BEYOND_ASCII }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Turns texts into term numbers. Lives as long as a segment is built. Most runs of a catalogue come again and again: they
 * are found by their characters in place, without cutting a string for each.
 */
export class TermReader {
  private readonly texts = new Map<string, readonly number[]>();
  /** By hash, with the next free place where it is taken: number of a run, counted from 1. */
  private readonly table: Int32Array;
  private readonly runs: string[] = [];
  private readonly numbers: (readonly number[])[] = [];

  constructor(
    private readonly dictionary: Dictionary,
    private readonly rules: TermRules,
    documents: keyof typeof tablePlaces,
  ) {
    this.table = new Int32Array(tablePlaces[documents]);
  }

  /** As `documentTerms`. `repeated`: texts like this one come again as a whole. */
  read(text: string, repeated = false): readonly number[] {
    if (!repeated || text.length > MAX_REMEMBERED_LENGTH) return this.scan(text);
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const numbers = this.scan(text);
    if (this.texts.size < MAX_REMEMBERED_TEXTS) this.texts.set(text, numbers);
    return numbers;
  }

  private scan(text: string): number[] {
    const found: number[] = [];
    let start = -1;
    let hash = HASH_START;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : 0;
      if (code >= FIRST_BEYOND_ASCII) return this.scanAnyScript(text);
      if (isWordCode[code] === 1) {
        if (start === -1) {
          start = at;
          hash = HASH_START;
        }
        hash = Math.imul(hash ^ code, HASH_FACTOR);
      } else if (start !== -1) {
        for (const number of this.numbersOf(text, start, at, hash)) found.push(number);
        start = -1;
      }
    }
    return found;
  }

  private scanAnyScript(text: string): number[] {
    return runsOf(text).flatMap((run) => termsOfRun(run, this.rules).map((term) => this.dictionary.add(term)));
  }

  private numbersOf(text: string, start: number, end: number, hash: number): readonly number[] {
    let place = (hash >>> 0) % this.table.length;
    for (let run = this.table[place] ?? 0; run !== 0; run = this.table[place] ?? 0) {
      if (isAt(text, start, end, this.runs[run - 1] ?? '')) return this.numbers[run - 1] ?? [];
      place = (place + 1) % this.table.length;
    }
    const run = text.slice(start, end);
    const numbers = termsOfRun(run, this.rules).map((term) => this.dictionary.add(term));
    if (2 * this.runs.length < this.table.length) {
      this.runs.push(run);
      this.numbers.push(numbers);
      this.table[place] = this.runs.length;
    }
    return numbers;
  }
}

function isAt(text: string, start: number, end: number, run: string): boolean {
  if (run.length !== end - start) return false;
  for (let at = 0; at < run.length; at += 1) if (text.charCodeAt(start + at) !== run.charCodeAt(at)) return false;
  return true;
}
