interface Numbers extends ArrayLike<number> {
  [index: number]: number;
  set(values: ArrayLike<number>): void;
  slice(from: number, to: number): this;
}

/** A typed array that grows by doubling. */
export class Growing<T extends Numbers> {
  values: T;
  length = 0;

  constructor(private readonly create: (length: number) => T) {
    this.values = create(1_024);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = this.create(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length] = value;
    this.length += 1;
  }

  /** Makes room for `count` values, which are 0, and says where they begin. */
  reserve(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.values.length) {
      const larger = this.create(Math.max(this.length, this.values.length * 2));
      larger.set(this.values);
      this.values = larger;
    }
    return at;
  }

  /** A copy of just what was pushed. */
  trimmed(): T {
    return this.values.slice(0, this.length);
  }
}
