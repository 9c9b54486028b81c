import { growTo, instantiate, type Memory } from './instantiate.js';
import { vectorRowsModule } from './vector-rows.wasm.js';

/** The functions of `vector-rows.wat`, and the memory that they work in. */
interface RowFunctions {
  readonly memory: Memory;
  dot(first: number, second: number, length: number): number;
  add(row: number, length: number, factor: number, sums: number): void;
}

/** Numbers that are worked on in one. */
const STEP = 16;
const FLOAT64_BYTES = 8;

/** A table of rows of int8 numbers, kept in the memory of WebAssembly, which multiplies sixteen of them in one instruction. */
export class VectorRows {
  private readonly functions = instantiate<RowFunctions>(vectorRowsModule);
  /** From one row to the next: rows are filled up with zeros. */
  private readonly stride: number;
  private readonly rowsAt: number;
  private readonly bytes: Int8Array;
  private readonly sums: Float64Array;

  /** `components`: the rows one after the other, `dimensions` numbers each; they are copied. */
  constructor(
    readonly dimensions: number,
    components: Int8Array,
  ) {
    this.stride = Math.ceil(dimensions / STEP) * STEP;
    this.rowsAt = FLOAT64_BYTES * this.stride;
    const count = components.length / dimensions;
    if (!Number.isInteger(count)) throw new Error(`${components.length} numbers are no rows of ${dimensions}`);
    const { memory } = this.functions;
    growTo(memory, this.at(count));
    this.bytes = new Int8Array(memory.buffer);
    this.sums = new Float64Array(memory.buffer, 0, dimensions);
    for (let row = 0; row < count; row += 1) {
      this.bytes.set(components.subarray(row * dimensions, (row + 1) * dimensions), this.at(row));
    }
  }

  /** A view of the table: not to be written to. */
  row(row: number): Int8Array {
    const at = this.at(row);
    return this.bytes.subarray(at, at + this.dimensions);
  }

  /** Rows of the table, as everywhere here: others are not looked for. */
  dot(first: number, second: number): number {
    return this.functions.dot(this.at(first), this.at(second), this.stride);
  }

  /** The sum of rows, each as often as its factor says, in float64; a view that the next sum overwrites. */
  sum(rows: ArrayLike<number>, factors: ArrayLike<number>, count: number): Float64Array {
    const { functions, stride, sums } = this;
    sums.fill(0);
    for (let i = 0; i < count; i += 1) functions.add(this.at(rows[i] ?? 0), stride, factors[i] ?? 0, 0);
    return sums;
  }

  private at(row: number): number {
    return this.rowsAt + this.stride * row;
  }
}
