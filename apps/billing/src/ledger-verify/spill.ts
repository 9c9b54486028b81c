import { rmSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files; what is compared at a time is one of as many parts of the whole. */
const BUCKETS = 256;
/** Characters that are collected before they are written to a file. */
const FLUSH_CHARACTERS = 64 * 1024;

/** One record: JSON scalars, the key first. */
export type SpilledRow = readonly [key: string, ...(string | number | boolean | null)[]];

/**
 * Records that are too many for memory, brought together by key: they go to temporary files by the hash of their key, so
 * that all records of one key are in one file, and one file at a time is read back. Sources need no order and can repeat
 * themselves.
 */
export class Spill {
  private readonly pending: { lines: string[]; characters: number }[];
  /** Files of a command that Ctrl-C ends are of no use to anybody. */
  private readonly removeAtExit = (): void => rmSync(this.folder, { recursive: true, force: true });

  private constructor(private readonly folder: string) {
    this.pending = Array.from({ length: BUCKETS }, () => ({ lines: [], characters: 0 }));
    process.once('exit', this.removeAtExit);
  }

  /** In a folder of its own, readable by this user only, below `parent`: the folder for temporary files (TMPDIR). */
  static async open(parent = tmpdir()): Promise<Spill> {
    return new Spill(await mkdtemp(join(parent, 'caprouter-')));
  }

  async add(row: SpilledRow): Promise<void> {
    const bucket = bucketOf(row[0]);
    const pending = this.pending[bucket];
    if (pending === undefined) throw new Error(`there is no bucket ${bucket}`);
    const line = JSON.stringify(row);
    pending.lines.push(line);
    pending.characters += line.length;
    if (pending.characters >= FLUSH_CHARACTERS) await this.flush(bucket);
  }

  /** All records by key, file by file; within a key in the order in which they were added. */
  async *groups(): AsyncGenerator<ReadonlyMap<string, readonly SpilledRow[]>> {
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      await this.flush(bucket);
      const text = await readFile(this.file(bucket), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const groups = new Map<string, SpilledRow[]>();
      for (const line of text.split('\n')) {
        if (line === '') continue;
        const row = JSON.parse(line) as SpilledRow;
        const group = groups.get(row[0]);
        if (group === undefined) groups.set(row[0], [row]);
        else group.push(row);
      }
      if (groups.size > 0) yield groups;
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.removeAtExit);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async flush(bucket: number): Promise<void> {
    const pending = this.pending[bucket];
    if (pending === undefined || pending.lines.length === 0) return;
    const text = `${pending.lines.join('\n')}\n`;
    pending.lines = [];
    pending.characters = 0;
    await appendFile(this.file(bucket), text, { mode: 0o600 });
  }

  private file(bucket: number): string {
    return join(this.folder, `${bucket}.jsonl`);
  }
}

/** FNV-1a, 32 bits. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash ^= key.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0) % BUCKETS;
}
