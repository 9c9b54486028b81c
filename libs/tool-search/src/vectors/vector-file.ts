/**
 * The file of the word vectors, little-endian:
 *
 * | bytes                    | what                                                                      |
 * |--------------------------|---------------------------------------------------------------------------|
 * | 4                        | `TSWV`                                                                    |
 * | 2                        | version of the layout, 2                                                  |
 * | 2                        | dimensions `D`                                                            |
 * | 4                        | terms `N`                                                                 |
 * | 4                        | bytes of the term list `L`                                                |
 * | L, then 0s to 4·k bytes  | the terms, UTF-8, ascending by code unit, a line feed between two         |
 * | 4·N                      | float32: what one step of the term's int8 components is worth             |
 * | 4·N                      | float32: part of the texts on tools that hold the term, 0 to 1            |
 * | D·N                      | int8: components                                                          |
 *
 * A pair of neighbours is listed as a term that has a space in it.
 */
const magic = 'TSWV';
const layoutVersion = 2;
const headerBytes = 16;

/** Bounds of a file that is believed; what is above is a broken or a foreign file. */
export const MAX_DIMENSIONS = 1_024;
export const MAX_TERMS = 200_000;
export const MAX_FILE_BYTES = 64 * 1_024 * 1_024;

/** Row `i` of `components` (`dimensions` values from `i * dimensions`), `scales` and `shares` belongs to `terms[i]`. */
export interface VectorTable {
  readonly dimensions: number;
  readonly terms: readonly string[];
  readonly scales: Float32Array;
  readonly shares: Float32Array;
  readonly components: Int8Array;
}

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** The rows of all tables, one after the other. Throws where their dimensions differ. */
export function joinTables(tables: readonly VectorTable[]): VectorTable {
  const [first, ...others] = tables;
  if (first === undefined) throw new Error('no word vectors');
  if (others.some(({ dimensions }) => dimensions !== first.dimensions)) {
    throw new Error(
      `word vectors of ${tables.map(({ dimensions }) => dimensions).join(' and ')} dimensions cannot be joined`,
    );
  }
  const joined = <T extends Float32Array | Int8Array>(whole: T, parts: readonly T[]): T => {
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  };
  const terms = tables.flatMap((table) => table.terms);
  return {
    dimensions: first.dimensions,
    terms,
    scales: joined(
      new Float32Array(terms.length),
      tables.map(({ scales }) => scales),
    ),
    shares: joined(
      new Float32Array(terms.length),
      tables.map(({ shares }) => shares),
    ),
    components: joined(
      new Int8Array(first.dimensions * terms.length),
      tables.map(({ components }) => components),
    ),
  };
}

export function encodeVectorTable(table: VectorTable): Buffer {
  const terms = Buffer.from(table.terms.join('\n'), 'utf8');
  const header = Buffer.alloc(headerBytes + padded(terms.length));
  header.write(magic, 0, 'latin1');
  header.writeUInt16LE(layoutVersion, 4);
  header.writeUInt16LE(table.dimensions, 6);
  header.writeUInt32LE(table.terms.length, 8);
  header.writeUInt32LE(terms.length, 12);
  terms.copy(header, headerBytes);
  const floats = Buffer.alloc(8 * table.terms.length);
  table.scales.forEach((scale, row) => floats.writeFloatLE(scale, 4 * row));
  table.shares.forEach((share, row) => floats.writeFloatLE(share, 4 * (table.terms.length + row)));
  return Buffer.concat([
    header,
    floats,
    Buffer.from(table.components.buffer, table.components.byteOffset, table.components.byteLength),
  ]);
}

/** Throws when the bytes are not such a file, whole and within the bounds. */
export function decodeVectorTable(file: Buffer): VectorTable {
  if (file.length < headerBytes || file.toString('latin1', 0, 4) !== magic)
    throw new Error('not a file of word vectors');
  const version = file.readUInt16LE(4);
  if (version !== layoutVersion)
    throw new Error(`word vectors of layout ${version}; this build reads ${layoutVersion}`);
  const dimensions = file.readUInt16LE(6);
  const count = file.readUInt32LE(8);
  const termBytes = file.readUInt32LE(12);
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS || count > MAX_TERMS) {
    throw new Error(`word vectors out of bounds: ${count} terms of ${dimensions} dimensions`);
  }
  const floatsAt = headerBytes + padded(termBytes);
  const componentsAt = floatsAt + 8 * count;
  if (file.length !== componentsAt + dimensions * count) throw new Error('the file of word vectors is cut or too long');
  const terms = count === 0 ? [] : file.toString('utf8', headerBytes, headerBytes + termBytes).split('\n');
  if (terms.length !== count)
    throw new Error(`the file of word vectors names ${terms.length} terms and holds ${count}`);
  const float = (at: number): number => file.readFloatLE(floatsAt + 4 * at);
  return {
    dimensions,
    terms,
    scales: Float32Array.from({ length: count }, (_, row) => float(row)),
    shares: Float32Array.from({ length: count }, (_, row) => float(count + row)),
    // A copy, so that the file's buffer can be freed.
    components: Int8Array.from(new Int8Array(file.buffer, file.byteOffset + componentsAt, dimensions * count)),
  };
}
