import type { Dictionary } from './dictionary.js';

/** Counts of the terms of one document, by term number; scratch space for one document after the other. */
export class Occurrences {
  /** Terms of the document, in order of their first occurrence. */
  readonly terms: number[] = [];
  /** Weighted by field and by the length of the field. */
  fields = new Float32Array(0);
  /** In the text as a whole. */
  plain = new Uint16Array(0);
  /** Bit i: the term stands in `searchFields[i]`; 0 for a term that the document does not hold. */
  masks = new Uint8Array(0);
  /** Terms in the text as a whole, with repetitions. */
  plainLength = 0;

  /** Begins a document. */
  clear(): void {
    for (const term of this.terms) this.masks[term] = 0;
    this.terms.length = 0;
    this.plainLength = 0;
  }

  /** Makes room for every term of the dictionary. */
  fit(dictionary: Dictionary): void {
    if (this.masks.length >= dictionary.size) return;
    const length = dictionary.size * 2;
    const { fields, plain, masks } = this;
    this.fields = new Float32Array(length);
    this.plain = new Uint16Array(length);
    this.masks = new Uint8Array(length);
    this.fields.set(fields);
    this.plain.set(plain);
    this.masks.set(masks);
  }

  /** The term must be of the dictionary that was fitted. */
  add(term: number, share: number, plain: 0 | 1, bit: number): void {
    const mask = this.masks[term] ?? 0;
    if (mask === 0) {
      this.terms.push(term);
      this.fields[term] = share;
      this.plain[term] = plain;
    } else {
      this.fields[term] = (this.fields[term] ?? 0) + share;
      this.plain[term] = (this.plain[term] ?? 0) + plain;
    }
    this.masks[term] = mask | bit;
    this.plainLength += plain;
  }
}
