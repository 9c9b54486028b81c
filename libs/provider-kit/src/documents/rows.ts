import { isUtf8 } from 'node:buffer';
import type { ValidationDetail } from '@capability-router/contracts';
import { hasWiderObject, isNestedDeeper, MAX_JSON_MEMBERS } from '@capability-router/kernel';
import { LineSplitter, type Line } from './line-splitter.js';

/** Bytes of one row, a line of NDJSON or a YAML document. */
export const MAX_ROW_BYTES = 1_048_576;

export interface Row {
  /** From 1; empty lines and documents do not count. */
  readonly row: number;
  /** The line of the body on which the row begins, from 1. */
  readonly line: number;
  readonly bytes: number;
  /** YAML is a text yet: it is parsed in a process of its own. */
  readonly content: ParsedRow | { readonly yaml: string };
}

export type ParsedRow = { readonly document: unknown } | { readonly fault: ValidationDetail };

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

  private rowOf({ number, bytes: written }: Line): Row[] {
    const bytes = number === 1 && written !== undefined ? withoutMark(written) : written;
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
    return [{ row: this.row, line: begunAt, bytes, content: contentOf(text, asYaml) }];
  }
}

/** Some programs begin a file in UTF-8 with it. */
const byteOrderMark = Buffer.from('\uFEFF');
const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes;

const newline = Buffer.from('\n');

function contentOf(bytes: Buffer | undefined, parse: (bytes: Buffer) => Row['content']): Row['content'] {
  if (bytes === undefined) return { fault: tooLong };
  return isUtf8(bytes) ? parse(bytes) : { fault: notUtf8 };
}

/** The fault that is reported of a row that cannot be parsed. */
export const syntaxFault = (msg: string): ParsedRow => ({ fault: { type: 'syntax', loc: [], msg } });

function parseJson(bytes: Buffer): ParsedRow {
  if (isNestedDeeper(bytes)) return syntaxFault('A row is nested too deeply');
  if (hasWiderObject(bytes)) return syntaxFault(`An object of the row has more than ${MAX_JSON_MEMBERS} members`);
  try {
    return { document: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch {
    return syntaxFault('A row should be one JSON object on one line');
  }
}

const asYaml = (bytes: Buffer): Row['content'] => ({ yaml: bytes.toString('utf8') });

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
