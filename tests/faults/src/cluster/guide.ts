import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@capability-router/tools-stack';

/** The commands that a page has somebody run, as they stand there. */
export class Page {
  private readonly commands: ReadonlySet<string>;

  /** `path`: from the top of the repository. */
  constructor(private readonly path: string) {
    const text = readFileSync(join(workspaceRoot, path), 'utf8').replaceAll(/^ *```[^]*?^ *```/gm, '');
    const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => (span ?? '').replaceAll(/\s+/g, ' '));
    this.commands = new Set(spans);
  }

  /** The one that begins so, with what a reader puts into it. @throws Error where there is none or another one, or it has no place for that */
  command(start: string, put: Readonly<Record<string, string>> = {}): readonly string[] {
    const [found, another] = [...this.commands].filter((one) => one.startsWith(start));
    if (found === undefined || another !== undefined) throw new Error(`${this.path} has not one command: ${start}`);
    let text = found;
    for (const [place, value] of Object.entries(put)) {
      if (!text.includes(place)) throw new Error(`${found} has no ${place}`);
      text = text.replace(place, value);
    }
    return text.split(' ');
  }
}

export const guide = new Page('docs/guides/kubernetes.md');
