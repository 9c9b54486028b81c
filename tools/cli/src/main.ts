import { run } from './run.js';
import { exitCodes } from './terminal.js';

// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// A second Ctrl-C ends the process at once.
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
  ...(process.stderr.isTTY ? { screen: process.stderr, outIsScreen: process.stdout.isTTY } : {}),
  interrupted: interruption.signal,
});
// Requests and connections that are under way would keep it.
if (process.exitCode === exitCodes.interrupted) process.exit();
