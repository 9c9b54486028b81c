import { relative } from 'node:path';
import { ConfigError } from '@capability-router/service-kit';
import { banner } from './banner.js';
import { EmbeddedPostgresError } from './embedded-postgres/index.js';
import { startStandalone } from './start-standalone.js';
import { waitUntilUsable } from './wait-until-usable.js';

const STOP_TIMEOUT_MS = 20_000;
const demoTool = { id: 'formula.expression.evaluate.v1', parameters: '{"expression":"2 * (3 + 4)^2"}' };

try {
  const standalone = await startStandalone(process.env, (detail) => {
    process.stderr.write(`The embedded database has stopped: ${detail}\n`);
    process.exit(1);
  });
  const stop = (): void => {
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    void standalone.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await waitUntilUsable(standalone.demo);
  process.stdout.write(banner(standalone.demo, relative(process.cwd(), standalone.demoFile), demoTool));
} catch (error) {
  // What an operator can mend is said in a sentence; anything else keeps its stack.
  const known = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  process.stderr.write(
    `capability-router could not start: ${known ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
