import { SIGN_WORDS, SIGNED_DIMENSIONS } from '../index/signs.js';
import { growTo, instantiate, type Memory } from '../wasm/instantiate.js';
import { signDifferencesModule } from '../wasm/sign-differences.wasm.js';

/** Documents that the second pass looks at in one. */
const STEP = 16;
const SIGN_BYTES = 4 * SIGN_WORDS;

/** Where things are in the memory, bytes; the first two are known to the module. */
const QUERY_AT = 0;
const COUNTS_AT = 16;
const SIGNS_AT = 1_024;
const COUNTS = SIGNED_DIMENSIONS + 1;

/** The signs of some documents, which never change, and which of them are there. */
export interface SignedDocuments {
  readonly signs: Uint32Array;
  /** 0: not there. */
  readonly live: Uint8Array;
}

/** The functions of `sign-differences.wat`, and the memory that they work in. */
interface Passes {
  readonly memory: Memory;
  count(documents: number, signs: number, live: number, differences: number): void;
  collect(
    documents: number,
    differences: number,
    least: number,
    near: number,
    tied: number,
    limit: number,
  ): [near: number, tied: number];
}

/** Numbers of documents, ascending. */
export interface NearestSigns {
  /** Those that differ in fewer signs than any that was left out. */
  readonly near: Uint32Array;
  /** The first of those that differ in one sign more. */
  readonly tied: Uint32Array;
}

const upTo = (step: number, value: number): number => Math.ceil(value / step) * step;

/**
 * Counts for every document in how many signs its direction differs from that of a query: a nanosecond or two each, in WebAssembly, which
 * has an instruction that counts bits. Keeps a copy of the signs in the module's memory.
 */
export class SignDifferences {
  private readonly passes = instantiate<Passes>(signDifferencesModule);
  /** The parts whose signs are in the memory, in their order there. */
  private placed: Uint32Array[] = [];
  private documents = 0;
  private limit = 0;
  private bytes = new Uint8Array(0);
  private words = new Uint32Array(0);

  /** The `limit` documents that differ in the fewest signs; fewer only where there are no more. A document's number counts through the parts. */
  nearest(parts: readonly SignedDocuments[], query: Uint32Array, limit: number): NearestSigns {
    const total = parts.reduce((sum, { live }) => sum + live.length, 0);
    this.reserve(total, limit);
    this.place(parts);
    const { bytes, words, passes } = this;
    const { liveAt, differencesAt, nearAt, tiedAt } = this.layout();
    words.set(query, QUERY_AT / 4);
    words.fill(0, COUNTS_AT / 4, COUNTS_AT / 4 + COUNTS);
    let at = liveAt;
    for (const { live } of parts) {
      bytes.set(live, at);
      at += live.length;
    }
    passes.count(total, SIGNS_AT, liveAt, differencesAt);
    bytes.fill(0xff, differencesAt + total, differencesAt + upTo(STEP, total));
    const { least, seen } = this.leastOf(limit);
    const [near, tied] = passes.collect(total, differencesAt, least, nearAt, tiedAt, limit - seen);
    return { near: words.slice(nearAt / 4, nearAt / 4 + near), tied: words.slice(tiedAt / 4, tiedAt / 4 + tied) };
  }

  /** The difference below which there are at most `limit` documents, and how many there are. */
  private leastOf(limit: number): { readonly least: number; readonly seen: number } {
    let least = 0;
    let seen = 0;
    for (; least < COUNTS; least += 1) {
      const more = this.words[COUNTS_AT / 4 + least] ?? 0;
      if (seen + more > limit) break;
      seen += more;
    }
    return { least, seen };
  }

  private layout(): Readonly<Record<'liveAt' | 'differencesAt' | 'nearAt' | 'tiedAt' | 'end', number>> {
    const { documents, limit } = this;
    const liveAt = SIGNS_AT + SIGN_BYTES * documents;
    const differencesAt = liveAt + documents;
    const nearAt = differencesAt + documents;
    const tiedAt = nearAt + 4 * limit;
    return { liveAt, differencesAt, nearAt, tiedAt, end: tiedAt + 4 * limit };
  }

  private reserve(documents: number, limit: number): void {
    if (documents > this.documents || limit > this.limit) {
      this.documents = upTo(STEP, Math.max(this.documents, documents * 1.25));
      this.limit = Math.max(this.limit, limit);
      this.placed = [];
    }
    const { memory } = this.passes;
    growTo(memory, this.layout().end);
    if (this.bytes.buffer === memory.buffer) return;
    this.bytes = new Uint8Array(memory.buffer);
    this.words = new Uint32Array(memory.buffer);
  }

  /** Copies the signs of the parts that were not there, or elsewhere, the last time. */
  private place(parts: readonly SignedDocuments[]): void {
    let at = SIGNS_AT / 4;
    let same = true;
    for (const [index, { signs }] of parts.entries()) {
      same &&= this.placed[index] === signs;
      if (!same) this.words.set(signs, at);
      at += signs.length;
    }
    this.placed = parts.map(({ signs }) => signs);
  }
}
