import { SIGN_WORDS, SIGNED_DIMENSIONS } from '../index/signs.js';
import { signDifferencesModule } from './sign-differences.wasm.js';

/** Bytes of a page of WebAssembly's memory. */
const PAGE_BYTES = 65_536;
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

/** As much of WebAssembly as is used: the libraries of types that have it are those of browsers. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;

/** The functions of `sign-differences.wat`, and the memory that they work in. */
interface Passes {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
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

/** Compiled when it is needed first, and once. */
let compiled: object | undefined;

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
  private readonly passes: Passes;
  /** The parts whose signs are in the memory, in their order there. */
  private placed: Uint32Array[] = [];
  private documents = 0;
  private limit = 0;
  private bytes = new Uint8Array(0);
  private words = new Uint32Array(0);

  constructor() {
    compiled ??= new Module(Buffer.from(signDifferencesModule, 'base64'));
    this.passes = new Instance(compiled).exports as Passes;
  }

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
    const missing = this.layout().end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
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
