const NEWLINE = 0x0a;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end; undefined for one that is too long, which is skipped as it comes. */
  readonly bytes: Buffer | undefined;
}

/** Bytes to lines; holds at most one line of `maxBytes`. */
export class LineSplitter {
  private parts: Buffer[] = [];
  private held = 0;
  private tooLong = false;
  private number = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that this chunk ends. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, to));
      lines.push(this.take());
      from = to + 1;
    }
    this.hold(chunk.subarray(from));
    return lines;
  }

  /** The text after the last line end. */
  end(): Line[] {
    return this.held === 0 && !this.tooLong ? [] : [this.take()];
  }

  private hold(part: Buffer): void {
    if (part.length === 0 || this.tooLong) return;
    if (this.held + part.length > this.maxBytes) {
      this.tooLong = true;
      this.parts = [];
      this.held = 0;
      return;
    }
    this.parts.push(part);
    this.held += part.length;
  }

  private take(): Line {
    this.number += 1;
    const [only] = this.parts;
    const bytes = this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts);
    const line = { number: this.number, bytes: this.tooLong ? undefined : bytes };
    this.parts = [];
    this.held = 0;
    this.tooLong = false;
    return line;
  }
}
