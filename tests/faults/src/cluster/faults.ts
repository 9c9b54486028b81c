import { at, listAt } from '@capability-router/tools-stack';
import type { CommandLine } from './command-line.js';
import { isReady, nameOf, podsOf, until, untilRolledOut } from './pods.js';

/** Puts another password into the URL of a Secret, does something, and puts the right one back. */
export async function withWrongPassword<T>(
  commands: CommandLine,
  secret: string,
  variable: string,
  happens: () => Promise<T>,
): Promise<T> {
  const data = at(await commands.object(`secret/${secret}`), `data.${variable}`);
  const right = Buffer.from(String(data), 'base64').toString();
  const set = (url: string): Promise<string> => {
    const patch = JSON.stringify({ stringData: { [variable]: url } });
    return commands.run(['kubectl', '-n', 'tools', 'patch', 'secret', secret, '-p', patch]);
  };
  await set(right.replace(/:[^:@/]+@/, ':wrong@'));
  try {
    return await happens();
  } finally {
    await set(right);
  }
}

/** Replaces the pods of a service whose new ones cannot start: the last line of one of them, and how many of the old ones are ready meanwhile. */
export async function failedStart(commands: CommandLine, service: string): Promise<{ said: string; ready: number }> {
  const deployment = `deployment/capability-router-${service}`;
  await commands.kubectl(`-n tools rollout restart ${deployment}`);
  let failed = '';
  await until('a pod fails', async () => {
    const found = (await podsOf(commands, service)).find((pod) =>
      listAt(pod, 'status.containerStatuses').some((one) => Number(at(one, 'restartCount')) > 0),
    );
    failed = nameOf(found);
    return found !== undefined;
  });
  const log = await commands.kubectl(`-n tools logs ${failed} --previous`);
  const ready = (await podsOf(commands, service)).filter(isReady).length;
  return { said: log.trimEnd().split('\n').at(-1)?.trim() ?? '', ready };
}

/** Replaces the pods that could not start. */
export async function restarted(commands: CommandLine, service: string): Promise<void> {
  await commands.kubectl(`-n tools rollout restart deployment/capability-router-${service}`);
  await untilRolledOut(commands);
}

/** The message of a command that fails. @throws Error where it does not fail */
export async function refusal(command: Promise<unknown>): Promise<string> {
  try {
    await command;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('this should have been refused');
}
