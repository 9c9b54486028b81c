import { isUtf8 } from 'node:buffer';
import type { ValidationDetail } from '@capability-router/contracts';
import { parseYaml } from '../manifest/parse-yaml.js';
import { LineSplitter } from './line-splitter.js';
import type { Line } from './line-splitter.js';

/** Bytes of one row, a line of NDJSON or a YAML document. */
export const MAX_ROW_BYTES = 1_048_576;

export interface Row {
  /** From 1; empty lines and documents do not count. */
  readonly row: number;
  /** Of the body, from 1, on which the row begins. */
  readonly line: number;
  readonly bytes: number;
  readonly content: { readonly document: unknown } | { readonly fault: ValidationDetail };
}

export interface RowReader {
  push(chunk: Buffer): Row[];
  end(): Row[];
}

const tooLong: ValidationDetail = {
  type: 'too_long',
  loc: [],
  msg: `A row should have at most ${MAX_ROW_BYTES} bytes. Send the tools of a large provider as rows of their own`,
};
const notUtf8: ValidationDetail = { type: 'unicode', loc: [], msg: 'A row should be UTF-8' };

/** One JSON object a line. */
export class NdjsonReader implements RowReader {
  private readonly lines = new LineSplitter(MAX_ROW_BYTES);
  private row = 0;

  push(chunk: Buffer): Row[] {
    return this.lines.push(chunk).flatMap((line) => this.rowOf(line));
  }

  end(): Row[] {
    return this.lines.end().flatMap((line) => this.rowOf(line));
  }

  private rowOf({ number, bytes }: Line): Row[] {
    if (bytes !== undefined && isBlank(bytes)) return [];
    this.row += 1;
    return [{ row: this.row, line: number, bytes: bytes?.length ?? 0, content: contentOf(bytes, parseJson) }];
  }
}

/** One YAML document a row, set off by `---`, which no scalar can hold at the beginning of a line. */
export class YamlReader implements RowReader {
  private readonly lines = new LineSplitter(MAX_ROW_BYTES);
  private row = 0;
  private document: Buffer[] = [];
  private bytes = 0;
  private begunAt = 1;
  private hasContent = false;
  private tooLong = false;

  push(chunk: Buffer): Row[] {
    return this.lines.push(chunk).flatMap((line) => this.take(line));
  }

  end(): Row[] {
    return [...this.lines.end().flatMap((line) => this.take(line)), ...this.finish(0)];
  }

  private take({ number, bytes }: Line): Row[] {
    if (bytes !== undefined && isMarker(bytes, '...')) return this.finish(number + 1);
    const finished = bytes !== undefined && isMarker(bytes, '---') ? this.finish(number) : [];
    if (bytes === undefined || this.bytes + bytes.length + 1 > MAX_ROW_BYTES) {
      this.tooLong = true;
      this.document = [];
    } else if (!this.tooLong) {
      this.document.push(bytes, newline);
      this.bytes += bytes.length + 1;
    }
    this.hasContent ||= bytes === undefined || saysSomething(bytes);
    return finished;
  }

  private finish(nextLine: number): Row[] {
    const { begunAt, bytes, hasContent } = this;
    const text = this.tooLong ? undefined : Buffer.concat(this.document);
    this.document = [];
    this.bytes = 0;
    this.begunAt = nextLine;
    this.hasContent = false;
    this.tooLong = false;
    if (!hasContent) return [];
    this.row += 1;
    return [{ row: this.row, line: begunAt, bytes, content: contentOf(text, parseYaml) }];
  }
}

const newline = Buffer.from('\n');

type Parse = (text: string) => { readonly document: unknown } | { readonly problem: string };

function contentOf(bytes: Buffer | undefined, parse: Parse): Row['content'] {
  if (bytes === undefined) return { fault: tooLong };
  if (!isUtf8(bytes)) return { fault: notUtf8 };
  const parsed = parse(bytes.toString('utf8'));
  return 'problem' in parsed ? { fault: { type: 'syntax', loc: [], msg: parsed.problem } } : parsed;
}

const parseJson: Parse = (text) => {
  try {
    return { document: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'A row should be one JSON object on one line' };
  }
};

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);

function isMarker(bytes: Buffer, marker: '---' | '...'): boolean {
  if (bytes.length < 3 || bytes.toString('latin1', 0, 3) !== marker) return false;
  return bytes.length === 3 || [0x20, 0x09, 0x0d].includes(bytes[3] ?? 0);
}

/** Not blank, no comment, no directive, and more than a bare `---`. */
function saysSomething(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').trim();
  return text !== '' && text !== '---' && !text.startsWith('#') && !text.startsWith('%');
}
