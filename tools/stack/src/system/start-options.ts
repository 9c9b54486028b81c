import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace.js';

/** The options of Node that `npm start` has, for whoever starts standalone in another way. */
export function npmStartOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return optionsAmong(scripts.start.split(' '));
}

/** The options of Node that a container of the images has. */
export function imageOptions(): string[] {
  const [, entrypoint = '[]'] =
    /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(workspaceRoot, 'docker', 'Dockerfile'), 'utf8')) ?? [];
  return optionsAmong(JSON.parse(entrypoint) as string[]);
}

const optionsAmong = (words: readonly string[]): string[] => words.filter((word) => word.startsWith('--'));
