/** The recordings in `answers/`, one file a slice. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printRecording, readRecording, type RecordedLines } from '@capability-router/contracts/answers';
import type { Exchange } from './transcript.js';

export const fileOf = (slice: string): string =>
  fileURLToPath(new URL(`../../src/wire/answers/${slice}.txt`, import.meta.url));

/** Empty where the slice has no recording. */
export function recordingOf(slice: string): RecordedLines[] {
  const file = fileOf(slice);
  return existsSync(file) ? readRecording(readFileSync(file, 'utf8')) : [];
}

export function writeRecording(slice: string, exchanges: readonly Exchange[]): void {
  const file = fileOf(slice);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, printRecording(exchanges));
}
