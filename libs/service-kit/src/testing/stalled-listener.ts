import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Connections by which the backlog is filled. */
const FILLERS = 12;
/** Milliseconds. */
const SETTLE_MS = 100;

const program = `
const server = require('node:net').createServer();
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => console.log(server.address().port));
`;

/** A port whose connections are neither made nor refused: its process is stopped, and its backlog is full. */
export async function startStalledListener(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  child.kill('SIGSTOP');
  const port = Number(line);
  const fillers: Socket[] = [];
  for (let turn = 0; turn < FILLERS; turn += 1) {
    fillers.push(connect(port, '127.0.0.1').on('error', () => undefined));
  }
  // The kernel takes on its share at once; the rest waits as the tests will.
  await once(fillers[0] as Socket, 'connect');
  await delay(SETTLE_MS);
  if (!fillers.some(({ connecting }) => connecting)) throw new Error('the backlog of the stalled listener is not full');
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      for (const filler of fillers) filler.destroy();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
