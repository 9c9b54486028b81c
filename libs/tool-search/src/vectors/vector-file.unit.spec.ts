import { describe, expect, it } from '@jest/globals';
import { decodeVectorTable, encodeVectorTable, joinTables, type VectorTable } from './vector-file.js';

const table: VectorTable = {
  dimensions: 3,
  terms: ['café', 'film', 'movi'],
  scales: Float32Array.of(0.5, 0.25, 2),
  shares: Float32Array.of(1, 0.5, 0.125),
  components: Int8Array.of(1, -2, 3, 127, -127, 0, 4, 5, 6),
};

describe('the file of the word vectors', () => {
  it('is read as it was written', () => {
    expect(decodeVectorTable(encodeVectorTable(table))).toEqual(table);
  });

  it('is one table with another of as many dimensions', () => {
    const other: VectorTable = {
      dimensions: 3,
      terms: ['天气'],
      scales: Float32Array.of(1),
      shares: Float32Array.of(0),
      components: Int8Array.of(7, 8, 9),
    };
    expect(joinTables([table, other])).toEqual({
      dimensions: 3,
      terms: ['café', 'film', 'movi', '天气'],
      scales: Float32Array.of(0.5, 0.25, 2, 1),
      shares: Float32Array.of(1, 0.5, 0.125, 0),
      components: Int8Array.of(1, -2, 3, 127, -127, 0, 4, 5, 6, 7, 8, 9),
    });
    expect(() => joinTables([table, { ...other, dimensions: 1 }])).toThrow('3 and 1 dimensions');
    expect(() => joinTables([])).toThrow('no word vectors');
  });

  it('may hold no term', () => {
    const empty = { dimensions: 3, terms: [], scales: new Float32Array(), shares: new Float32Array() };
    const written = { ...empty, components: new Int8Array() };
    expect(decodeVectorTable(encodeVectorTable(written))).toEqual(written);
  });

  it('is read from the middle of a larger buffer', () => {
    const file = encodeVectorTable(table);
    const larger = Buffer.concat([Buffer.from('before'), file, Buffer.from('after')]);
    expect(decodeVectorTable(larger.subarray(6, 6 + file.length))).toEqual(table);
  });

  it('is refused when a byte is missing or too many', () => {
    const file = encodeVectorTable(table);
    expect(() => decodeVectorTable(file.subarray(0, -1))).toThrow('cut or too long');
    expect(() => decodeVectorTable(Buffer.concat([file, Buffer.alloc(1)]))).toThrow('cut or too long');
    expect(() => decodeVectorTable(file.subarray(0, 10))).toThrow('not a file of word vectors');
  });

  it('is refused when it is another file, another layout or out of bounds', () => {
    const changed = (change: (file: Buffer) => void): Buffer => {
      const file = Buffer.from(encodeVectorTable(table));
      change(file);
      return file;
    };
    expect(() => decodeVectorTable(changed((file) => file.write('PK', 0)))).toThrow('not a file of word vectors');
    expect(() => decodeVectorTable(changed((file) => file.writeUInt16LE(1, 4)))).toThrow('layout 1');
    expect(() => decodeVectorTable(changed((file) => file.writeUInt16LE(0, 6)))).toThrow('out of bounds');
    expect(() => decodeVectorTable(changed((file) => file.writeUInt32LE(4_000_000_000, 8)))).toThrow('out of bounds');
    expect(() => decodeVectorTable(changed((file) => file.writeUInt32LE(4_000_000_000, 12)))).toThrow(
      'cut or too long',
    );
  });

  it('is refused when it names fewer terms than it holds', () => {
    const file = Buffer.from(encodeVectorTable(table));
    file[file.indexOf('\n')] = 0x20;
    expect(() => decodeVectorTable(file)).toThrow('names 2 terms and holds 3');
  });
});
