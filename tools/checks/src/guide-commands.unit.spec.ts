import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);

const PROMPT = '$ ';

interface Line {
  /** File and number, e.g. `README.md:18`. */
  readonly place: string;
  readonly text: string;
}

/** Lines of commands: all of a block of a shell, and of a block without a language those from a prompt to the output. */
function commandLinesOf(name: string, markdown: string): Line[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(({ 1: language = '', 2: text = '', index }) => {
    const first = markdown.slice(0, index).split('\n').length + 1;
    const lines = text.split('\n').map((line, at) => ({ place: `${name}:${first + at}`, text: line }));
    if (/^(sh|bash|zsh|shell|console)$/.test(language)) return lines;
    if (language !== '') return [];
    if (!text.includes(PROMPT)) return /^(npm|npx|docker|curl|caprouter|node) /.test(text) ? lines : [];
    return lines.filter(({ text: line }, at) => line.startsWith(PROMPT) || goesOn(lines[at - 1]?.text ?? ''));
  });
}

/** A command that the next line belongs to as well. */
const goesOn = (line: string): boolean => line.endsWith('\\') || line.split("'").length % 2 === 0;

/** A shell reads `#` at the start of a word as the start of a comment; zsh, where somebody types, as any other word. */
const isCommented = ({ text }: Line): boolean => /(^|\s)#\s/.test(text);

/** To zsh a colon and a letter behind a variable change its value: `"$NAME:resume"` is not what it is to other shells. */
const hasModifier = ({ text }: Line): boolean => /\$[A-Za-z_]\w*:[A-Za-z]/.test(text);

/** zsh takes the value of a variable as one word, the name of one program. */
const isCommandOfWords = ({ text }: Line): boolean => /^(\$ )?\$[A-Za-z_]\w*(\s|$)/.test(text);

/** Files in the working folder that commands write: behind `>`, `-o`, `tee`. */
const writtenBy = ({ text }: Line): string[] =>
  [...text.matchAll(/(?:(?<!=)>{1,2} ?|-o |tee )"?([a-z][\w.-]*\.[a-z]+)\b/g)].map(([, name = '']) => name);

describe('the commands of README and guides', () => {
  const lines = async (): Promise<Line[]> => {
    const guides = (await readdir(new URL('docs/guides/', root))).map((name) => `docs/guides/${name}`);
    const texts = ['README.md', ...guides].map(
      async (name) => [name, await readFile(new URL(name, root), 'utf8')] as const,
    );
    return (await Promise.all(texts)).flatMap(([name, text]) => commandLinesOf(name, text));
  };

  it('are understood by zsh as by other shells: no comments, no colon behind a bare variable, no program in a variable of words', async () => {
    const found = await lines();
    expect(found.length).toBeGreaterThan(300);
    const misread = found.filter((line) => isCommented(line) || hasModifier(line) || isCommandOfWords(line));
    expect(misread.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });

  it('write only files that git passes over, since keys and tokens are among them', async () => {
    const ignored = new Set((await readFile(new URL('.gitignore', root), 'utf8')).split('\n'));
    const written = (await lines()).flatMap((line) => writtenBy(line).map((name) => ({ name, place: line.place })));
    expect(written.length).toBeGreaterThan(40);
    const seen = ({ name }: { readonly name: string }): boolean =>
      !ignored.has(`/${name}`) && !ignored.has(`*.${name.split('.').at(-1)}`);
    expect(written.filter(seen)).toEqual([]);
  });
});
