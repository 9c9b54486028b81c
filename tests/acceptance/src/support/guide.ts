import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A command of a guide, with what the guide shows of its output. */
export interface GuideStep {
  /** In the guide, from 1. */
  readonly line: number;
  readonly command: string;
  /** Lines that the output has in this order, among others; `…` stands for any text within a line. */
  readonly shown: readonly string[];
}

export interface GuideMachine {
  /** The variables that the guide takes as given, e.g. `BASE` and `KEY`. */
  readonly variables: Readonly<Record<string, string>>;
  /** Programs that there are beside the shell: a slim machine has few. */
  readonly programs: readonly string[];
}

const TIMEOUT_MS = 60_000;
const caprouterProgram = fileURLToPath(new URL('../../../../tools/cli/bin/caprouter.js', import.meta.url));
const PROMPT = '$ ';
/** Stands between the outputs of two commands. */
const MARK = '\u001eend of step';

/** `name`: a file of `docs/guides`. */
export const readGuide = (name: string): Promise<string> =>
  readFile(new URL(`../../../../docs/guides/${name}`, import.meta.url), 'utf8');

/** The text of the blocks of code in a language, in their order. */
export const blocksOf = (markdown: string, language: string): string[] =>
  fencesOf(markdown).flatMap((fence) => (fence.language === language ? [`${fence.lines.join('\n')}\n`] : []));

/** Commands behind a prompt in blocks without a language, and blocks of `sh`, each as one command. */
export function stepsOf(markdown: string): GuideStep[] {
  return fencesOf(markdown).flatMap(({ language, line, lines }) => {
    if (language === 'sh') return [{ line, command: lines.join('\n'), shown: [] }];
    return language === '' ? promptedSteps(lines, line) : [];
  });
}

interface Fence {
  readonly language: string;
  /** The number of its first line of code. */
  readonly line: number;
  readonly lines: readonly string[];
}

function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language = '', 2: text = '', index }) => ({
    language,
    line: markdown.slice(0, index).split('\n').length + 1,
    lines: text.trimEnd().split('\n'),
  }));
}

function promptedSteps(lines: readonly string[], first: number): GuideStep[] {
  const steps: { line: number; command: string; shown: string[] }[] = [];
  for (const [index, text] of lines.entries()) {
    const step = steps.at(-1);
    if (text.startsWith(PROMPT)) steps.push({ line: first + index, command: text.slice(PROMPT.length), shown: [] });
    else if (step?.shown.length === 0 && step.command.endsWith('\\')) step.command += `\n${text}`;
    else if (text.trim() !== '') step?.shown.push(text);
  }
  return steps;
}

/** Runs the commands in one shell, in order, as they stand. What a guide promises and does not hold; none where it is right. */
export async function faultsOfGuide(markdown: string, machine: GuideMachine): Promise<string[]> {
  const steps = stepsOf(markdown);
  if (steps.length === 0) return ['it has no command'];
  const script = steps.flatMap(({ command }) => [command, `printf '%s\\n' '${MARK}'`]).join('\n');
  const { output, complaint } = await runScript(`set -eu\n${script}\n`, machine);
  const outputs = output.split(`${MARK}\n`);
  return steps.flatMap(({ line, shown }, index) => {
    // The shell ends with the step that fails.
    if (index >= outputs.length - 1) return index === outputs.length - 1 ? [`line ${line} failed: ${complaint}`] : [];
    const missing = firstMissing(shown, (outputs[index] ?? '').split(/\r?\n/));
    return missing === undefined ? [] : [`line ${line} does not say "${missing}", but: ${outputs[index]}`];
  });
}

function firstMissing(shown: readonly string[], said: readonly string[]): string | undefined {
  let at = 0;
  return shown.find((line) => {
    const pattern = new RegExp(`^${line.split('…').map(escape).join('.*')}$`);
    const found = said.findIndex((text, index) => index >= at && pattern.test(text));
    at = found + 1;
    return found === -1;
  });
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

async function runScript(
  script: string,
  { variables, programs }: GuideMachine,
): Promise<{ output: string; complaint: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  try {
    for (const program of programs) await symlink(await findProgram(program), join(folder, program));
    return await new Promise((resolve) => {
      const options = { cwd: folder, env: { ...variables, PATH: folder }, timeout: TIMEOUT_MS };
      const child = execFile('/bin/sh', [], options, (error, output, said) => {
        resolve({ output, complaint: said.trim() === '' ? (error?.message ?? '') : said });
      });
      child.stdin?.end(script);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function findProgram(name: string): Promise<string> {
  if (name === 'node') return process.execPath;
  if (name === 'caprouter') return caprouterProgram;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new Error(`the program "${name}" is not on this machine, and the guide needs it`);
}
