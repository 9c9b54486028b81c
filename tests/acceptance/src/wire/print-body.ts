/** Bodies as lines of a recording: every byte of them can be told from the lines, and a diff of the lines can be read. */
import { Bare, type Placeholders } from './placeholders.js';

/** Characters up to which a list or an object stays on one line. */
const LINE_WIDTH = 110;
const INDENT = '  ';

type Json = string | number | boolean | null | Bare | Json[] | { [member: string]: Json };

/** `contentType`: of the body, or empty. */
export function printBody(text: string, contentType: string, placeholders: Placeholders): string[] {
  if (text === '') return [];
  if (contentType.startsWith('text/csv')) return linesOf(maskDurations(text)).map((line) => placeholders.inText(line));
  if (contentType.startsWith('application/x-ndjson')) {
    return text.split('\n').flatMap((line) => (line === '' ? ['(end of line)'] : jsonLines(line, placeholders)));
  }
  return jsonLines(text, placeholders);
}

/** The lines tell every byte of JSON that is written as `JSON.stringify` writes it; any other text is printed as it is. */
function jsonLines(text: string, placeholders: Placeholders): string[] {
  const value = parsed(text);
  if (value === undefined || JSON.stringify(value) !== text) {
    return linesOf(text).map((line) => placeholders.inText(line));
  }
  return print(replaced(value, '', placeholders), '').split('\n');
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function replaced(value: Json, member: string, placeholders: Placeholders): Json {
  if (typeof value === 'string' || typeof value === 'number') return placeholders.inMember(member, value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, member, placeholders));
  if (value === null || typeof value === 'boolean' || value instanceof Bare) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [placeholders.inText(name), replaced(item, name, placeholders)]),
  );
}

function print(value: Json, margin: string): string {
  const line = onOneLine(value);
  if (margin.length + line.length <= LINE_WIDTH || typeof value !== 'object' || value === null) return line;
  if (value instanceof Bare) return line;
  const inner = margin + INDENT;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + print(item, inner)).join(',\n')}\n${margin}]`;
  }
  const members = Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item, inner)}`);
  return `{\n${members.join(',\n')}\n${margin}}`;
}

function onOneLine(value: Json): string {
  if (value instanceof Bare) return value.word;
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Lines end at a line feed; what a text editor or git could change on the way is written as in a string of JavaScript. */
function linesOf(text: string): string[] {
  const visible = text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\t', '\\t').replaceAll('\0', '\\0');
  return visible.split('\n').map((line) => line.replace(/ $/, '\\x20'));
}

/** The cells below `duration_ms`; all others stay. */
function maskDurations(csv: string): string {
  const rows = csv.split('\r\n');
  const column = rows[0]?.split(',').indexOf('duration_ms') ?? -1;
  if (column < 0) return csv;
  const masked = rows.slice(1).map((row) => {
    const cells = row.match(/(?:"(?:[^"]|"")*"|[^",]*)(?:,|$)/g) ?? [];
    return cells.map((cell, index) => (index === column ? cell.replace(/^\d+(\.\d+)?/, '<ms>') : cell)).join('');
  });
  return [rows[0] ?? '', ...masked].join('\r\n');
}
