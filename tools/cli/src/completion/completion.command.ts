import { Command, InvalidArgumentError } from 'commander';
import type { Terminal } from '../terminal.js';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** `caprouter completion`: a script that completes commands and options in a shell. */
export function completionCommand(terminal: Terminal): Command {
  return new Command('completion')
    .description('a script that completes commands and options: source <(caprouter completion bash)')
    .argument('<shell>', shells.join(', '), shellOf)
    .action((shell: Shell, _options: unknown, command: Command) => {
      const words = wordsByPath(rootOf(command));
      for (const line of scripts[shell](words)) terminal.out(line);
    });
}

function shellOf(text: string): Shell {
  const shell = shells.find((each) => each === text);
  if (shell === undefined) throw new InvalidArgumentError(`It is one of ${shells.join(', ')}.`);
  return shell;
}

/** Words that can stand next, by the commands before them: `''` for none, `keys own` for two. */
type Words = ReadonlyMap<string, readonly string[]>;

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function wordsByPath(command: Command, path: readonly string[] = [], inherited: readonly string[] = []): Words {
  const options = [...inherited, ...command.options.map(({ long }) => long ?? '').filter(Boolean)];
  const words = new Map<string, readonly string[]>([
    [path.join(' '), [...command.commands.map((child) => child.name()), ...options, '--help']],
  ]);
  for (const child of command.commands) {
    for (const [below, those] of wordsByPath(child, [...path, child.name()], options)) words.set(below, those);
  }
  return words;
}

const casesOf = (words: Words): string[] =>
  [...words].map(([path, those]) => `    '${path}') words='${those.join(' ')}' ;;`);

const bash = (words: Words): string[] => [
  '_caprouter() {',
  '  local path= word words=',
  '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
  '    [[ $word == -* ]] || path="${path:+$path }$word"',
  '  done',
  '  case $path in',
  ...casesOf(words),
  '  esac',
  '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
  '}',
  'complete -o default -F _caprouter caprouter',
];

const scripts: Readonly<Record<Shell, (words: Words) => string[]>> = {
  bash,
  // It runs completions that were written for bash.
  zsh: (words) => ['autoload -Uz compinit bashcompinit && compinit && bashcompinit', ...bash(words)],
  fish: (words) =>
    [...words].map(([path, those]) => {
      const condition = path === '' ? '__fish_use_subcommand' : seenIn(path);
      return `complete -c caprouter -f -n '${condition}' -a '${those.join(' ')}'`;
    }),
};

const seenIn = (path: string): string =>
  path
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
