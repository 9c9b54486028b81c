import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines. A longer file has to say why. */
export const MAX_FILE_LINES = 300;
/** Lines of the head in which the reason must stand. */
const HEAD_LINES = 20;
const reasonPattern = /(long|over 300 lines)[^.]*\bbecause\b/i;
const checkedExtensions = ['.ts', '.mjs', '.cjs', '.sql', '.sh'];
const skippedFolders = new Set(['node_modules', 'dist', 'data', 'coverage']);

/** The complaint about one file, or undefined. */
export function judgeFileLength(path: string, content: string): string | undefined {
  const lines = content.split('\n');
  const count = content.endsWith('\n') ? lines.length - 1 : lines.length;
  if (count <= MAX_FILE_LINES) return undefined;
  if (reasonPattern.test(lines.slice(0, HEAD_LINES).join(' '))) return undefined;
  return `${path}: ${count} lines. Split it, or say in its head comment "This file is long because …".`;
}

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.') && !skippedFolders.has(entry.name)) yield* sourceFiles(path);
    } else if (checkedExtensions.some((extension) => entry.name.endsWith(extension))) {
      yield path;
    }
  }
}

/** Complaints about every source file under `root`. */
export async function checkFileLengths(root: string): Promise<string[]> {
  const complaints: string[] = [];
  for await (const path of sourceFiles(root)) {
    const complaint = judgeFileLength(path.slice(root.length), await readFile(path, 'utf8'));
    if (complaint !== undefined) complaints.push(complaint);
  }
  return complaints;
}
