import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';

export const goldenRoot = join(workspaceRoot, 'libs/contracts/golden');

/** A record as it was once published. */
export interface GoldenEvent {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The names in a folder of the corpus, in their order; none where there is no such folder. */
export const goldenFiles = (folder: string): string[] => {
  const path = join(goldenRoot, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
};

export const readGolden = (path: string): unknown => JSON.parse(readFileSync(join(goldenRoot, path), 'utf8'));

/** The golden events of a topic, each with its path. */
export const goldenEvents = (topic: string): [string, GoldenEvent][] =>
  goldenFiles(`events/${topic}`).map((file) => [
    `${topic}/${file}`,
    readGolden(`events/${topic}/${file}`) as GoldenEvent,
  ]);
