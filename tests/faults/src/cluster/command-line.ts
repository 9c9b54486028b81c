import { workspaceRoot } from '@capability-router/tools-stack';
import { output, programOf } from './programs.js';

export interface RunOptions {
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** kubectl and helm, as somebody runs them at the top of the repository. */
export class CommandLine {
  /** Warnings of servers and programs, of which there should be none. */
  readonly warnings: string[] = [];
  private readonly env: NodeJS.ProcessEnv;

  /** `home`: an empty folder, so that no settings of whoever runs the test count. */
  constructor(kubeconfig: string, home: string) {
    this.env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig };
  }

  kubectl(text: string, options: RunOptions = {}): Promise<string> {
    return this.run(['kubectl', ...text.split(' ')], options);
  }

  helm(text: string, options: RunOptions = {}): Promise<string> {
    return this.run(['helm', ...text.split(' ')], options);
  }

  /** The object that is named, such as `pod/name`. */
  async object(name: string): Promise<unknown> {
    return JSON.parse(await this.kubectl(`-n tools get ${name} -o json`)) as unknown;
  }

  /** Standard output. @throws Error with what was said, where it fails */
  async run([program = '', ...args]: readonly string[], { input, timeoutMs }: RunOptions = {}): Promise<string> {
    const { stdout, stderr } = await output(programOf(program), args, {
      cwd: workspaceRoot,
      env: this.env,
      ...(input === undefined ? {} : { input }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    this.warnings.push(...stderr.split('\n').filter((line) => /warning/i.test(line)));
    return stdout;
  }
}
