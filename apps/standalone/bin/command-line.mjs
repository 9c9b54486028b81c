// The command line of standalone. Plain JavaScript without dependencies, so that it answers before the first build.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const usage = `Usage: npm start [-- --help | --version]

Runs the whole capability router in one process, with a database of its own. Settings are environment variables:

  PORT          port of the gateway; where it is not set, 8080 or, if that is taken, a free one
  HOST          address to listen on (127.0.0.1); 0.0.0.0 opens it to the network
  DATA_DIR      folder of the database, keys, results and demo.json (./data)
  PUBLIC_URL    origin under which callers reach it; links are built from it
  METRICS_PORT  port of /metrics on the loopback interface; where it is not set, a free one
  LOG_LEVEL     fatal, error, warn (default), info, debug, trace or silent

For example: PORT=9000 DATA_DIR=/srv/router npm start
All settings: docs/configuration.md. What can go wrong, and then: apps/standalone/README.md.
`;

/**
 * The text to print in place of starting; undefined where there is nothing to answer.
 * @param {readonly string[]} args arguments after the program
 * @returns {{ code: 0 | 2, text: string } | undefined} 0 goes to standard output, 2 to standard error
 */
export function answerTo(args) {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } };
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    if (values.help) return { code: 0, text: usage };
    if (values.version) return { code: 0, text: `${version()}\n` };
    return undefined;
  } catch (error) {
    const [sentence] = error.message.split(/(?<=')\. /);
    return {
      code: 2,
      text: `${sentence.replace(/\.?$/, '.')} Settings are environment variables: npm start -- --help\n`,
    };
  }
}

/** Prints the answer, if there is one, and ends the process. */
export function answerAndExit(args) {
  const answer = answerTo(args);
  if (answer === undefined) return;
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exit(answer.code);
}

const version = () => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
