import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VectorRows } from './vector-rows.js';

const LEAST = -128;
const MOST = 127;
const ROWS = 5;

/** Tables of a few rows, also of lengths that are no multiple of what is worked on in one. */
const tables = fc
  .constantFrom(1, 2, 15, 16, 17, 33, 192)
  .chain((dimensions) =>
    fc
      .int8Array({ min: LEAST, max: MOST, minLength: ROWS * dimensions, maxLength: ROWS * dimensions })
      .map((components) => ({ dimensions, components })),
  );

const rowOf = (components: Int8Array, dimensions: number, row: number): number[] => [
  ...components.subarray(row * dimensions, (row + 1) * dimensions),
];

describe('rows of numbers in the memory of WebAssembly', () => {
  it('are those of the table', () => {
    fc.assert(
      fc.property(tables, ({ dimensions, components }) => {
        const rows = new VectorRows(dimensions, components);
        const read = Array.from({ length: ROWS }, (_, row) => [...rows.row(row)]);
        expect(read).toEqual(Array.from({ length: ROWS }, (_, row) => rowOf(components, dimensions, row)));
      }),
    );
  });

  it('have the dot products that plain arithmetic gives', () => {
    fc.assert(
      fc.property(tables, fc.nat(ROWS - 1), fc.nat(ROWS - 1), ({ dimensions, components }, first, second) => {
        const other = rowOf(components, dimensions, second);
        const plain = rowOf(components, dimensions, first).reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
        expect(new VectorRows(dimensions, components).dot(first, second)).toBe(plain);
      }),
    );
  });

  it('do not overflow where all numbers are as far from 0 as they can be', () => {
    const dimensions = 192;
    const rows = new VectorRows(dimensions, new Int8Array(2 * dimensions).fill(LEAST));
    expect(rows.dot(0, 1)).toBe(dimensions * LEAST * LEAST);
  });

  it('are summed up to the last bit as plain arithmetic does it, one sum after the other', () => {
    const factors = fc.array(fc.tuple(fc.nat(ROWS - 1), fc.double({ min: -4, max: 4, noNaN: true })), { maxLength: 8 });
    fc.assert(
      fc.property(tables, factors, factors, ({ dimensions, components }, ...sums) => {
        const rows = new VectorRows(dimensions, components);
        for (const terms of sums) {
          const plain = new Float64Array(dimensions);
          for (const [row, factor] of terms) {
            for (const [i, value] of rowOf(components, dimensions, row).entries()) {
              plain[i] = (plain[i] ?? 0) + factor * value;
            }
          }
          const [of, by] = [terms.map(([row]) => row), terms.map(([, factor]) => factor)];
          expect(rows.sum(of, by, terms.length)).toEqual(plain);
        }
      }),
    );
  });
});
