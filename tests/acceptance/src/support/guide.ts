import { execFile, spawn } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

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
  /** Folders and files that the working folder has from the start, by their names there. */
  readonly given?: Readonly<Record<string, string>>;
}

/** The guide that waits longest does so for a few seconds; the rest is for a busy machine. */
const TIMEOUT_MS = 150_000;
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

/** The servers that this deployment is made of: a block can be of the one stack or the other. */
const stack = (process.env['ACCEPTANCE_DATA_DIR'] ?? '') === '' ? 'the real stack' : 'standalone';

/**
 * A comment before a block says where it is run. Where it says why no test runs it, `tools/checks` lists it; a block of a
 * program that nobody needs to have is run where there is one.
 */
const isRun = ({ remark }: Fence, programs: readonly string[]): boolean => {
  if (remark.startsWith('run with ')) return programs.includes(remark.slice('run with '.length));
  return remark === '' || remark === `run on ${stack}`;
};

/** Commands behind a prompt in blocks without a language, and blocks of `sh`, each as one command. */
export function stepsOf(markdown: string, programs: readonly string[] = []): GuideStep[] {
  return fencesOf(markdown).flatMap((fence) => {
    const { language, line, lines } = fence;
    if (!isRun(fence, programs)) return [];
    if (language === 'sh') return [{ line, command: lines.join('\n'), shown: [] }];
    return language === '' ? promptedSteps(lines, line) : [];
  });
}

interface Fence {
  readonly language: string;
  /** The comment before it, which says where it is run: `run on standalone`, `run on the real stack`, `run with …`, `not run: …`. */
  readonly remark: string;
  /** The number of its first line of code. */
  readonly line: number;
  readonly lines: readonly string[];
}

function fencesOf(markdown: string): Fence[] {
  const blocks = markdown.matchAll(/(^<!-- (?:not run: |run on |run with )[^\n]* -->\n+)?^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].map(({ 1: remark = '', 2: language = '', 3: text = '', index }) => ({
    language,
    remark: remark.trim().slice('<!-- '.length, -' -->'.length),
    line: markdown.slice(0, index + remark.length).split('\n').length + 1,
    lines: text.trimEnd().split('\n'),
  }));
}

/** Files that a reader saves: blocks whose first line is a comment with nothing but the file's name. */
const filesOf = (markdown: string): [name: string, text: string][] =>
  fencesOf(markdown).flatMap(({ lines }): [string, string][] => {
    const [, name] = /^(?:#|\/\/) ([\w-]+\.\w+)$/.exec(lines[0] ?? '') ?? [];
    return name === undefined ? [] : [[name, `${lines.join('\n')}\n`]];
  });

function promptedSteps(lines: readonly string[], first: number): GuideStep[] {
  const steps: { line: number; command: string; shown: string[] }[] = [];
  for (const [index, text] of lines.entries()) {
    const step = steps.at(-1);
    if (text.startsWith(PROMPT)) steps.push({ line: first + index, command: text.slice(PROMPT.length), shown: [] });
    else if (step?.shown.length === 0 && goesOn(step.command)) step.command += `\n${text}`;
    else if (text.trim() !== '') step?.shown.push(text);
  }
  return steps;
}

/** It ends with a backslash, or within quotes. */
const goesOn = (command: string): boolean => command.endsWith('\\') || command.split("'").length % 2 === 0;

/** Runs the commands in one shell, in order, as they stand. What a guide promises and does not hold; none where it is right. */
export async function faultsOfGuide(markdown: string, machine: GuideMachine): Promise<string[]> {
  const steps = stepsOf(markdown, machine.programs);
  if (steps.length === 0) return ['it has no command'];
  const script = steps.flatMap(({ command }) => [command, `printf '%s\\n' '${MARK}'`]).join('\n');
  const { output, complaint } = await runScript(`set -eu\n${script}\n`, filesOf(markdown), machine);
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
  files: readonly [name: string, text: string][],
  { variables, programs, given = {} }: GuideMachine,
): Promise<{ output: string; complaint: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const bin = join(folder, '.programs');
  try {
    await mkdir(bin);
    for (const program of programs) await putProgram(program, bin);
    for (const [name, target] of Object.entries(given)) await symlink(target, join(folder, name));
    for (const [name, text] of files) await writeFile(join(folder, name), text);
    return await runShell(script, folder, { ...variables, PATH: bin });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Whatever the script has started ends with it. */
function runShell(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ output: string; complaint: string }> {
  return new Promise((resolve, reject) => {
    const shell = spawn('/bin/sh', [], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = { output: '', complaint: '' };
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (said.output += text));
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (said.complaint += text));
    const end = (): void => endGroup(shell.pid);
    const timer = setTimeout(() => {
      said.complaint += `\nit did not end within ${TIMEOUT_MS / 1_000} s`;
      end();
    }, TIMEOUT_MS);
    shell.once('error', reject).once('exit', end);
    shell.once('close', (code) => {
      clearTimeout(timer);
      resolve({ output: said.output, complaint: said.complaint.trim() || `exit status ${code}` });
    });
    shell.stdin.once('error', () => undefined).end(script);
  });
}

/** Ends the processes of the group that a shell leads. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}

/** Python finds the packages of a virtual environment by the name that its program is called by, which a link would change. */
async function putProgram(name: string, bin: string): Promise<void> {
  if (typedPython === undefined || !typedPrograms.includes(name))
    return symlink(await findProgram(name), join(bin, name));
  const script = `#!/bin/sh\nexec "${join(dirname(typedPython), name)}" "$@"\n`;
  return writeFile(join(bin, name), script, { mode: 0o755 });
}

async function findProgram(name: string): Promise<string> {
  if (name === 'node') return process.execPath;
  if (name === 'caprouter') return caprouterProgram;
  const python = name === 'python3' ? await pythonProgram() : undefined;
  if (python !== undefined) return python;
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

/** The interpreter itself: what is found first may be a script that chooses one, and needs more than a slim machine has. */
const pythonProgram = (): Promise<string | undefined> =>
  promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** The program `python3`, where this machine has one: nobody needs it for the tests. */
export const pythonHere = async (): Promise<string[]> => ((await pythonProgram()) === undefined ? [] : ['python3']);

/** The Python of a virtual environment with the packages of `tests/acceptance/strict-models`: CI has one. */
const typedPython = process.env['STRICT_MODELS_PYTHON'];
const typedPrograms = ['python', 'datamodel-codegen'];

/** The programs of that environment, where there is one. Whoever reads every answer with its models has it. */
export function typedPythonHere(): readonly string[] {
  if (typedPython !== undefined) return typedPrograms;
  if (process.env['ACCEPTANCE_ANSWERS_DIR'] !== undefined) throw new Error('STRICT_MODELS_PYTHON is not set');
  return [];
}
