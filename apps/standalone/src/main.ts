import { relative } from 'node:path';
import { answerAndExit } from '../bin/command-line.mjs';
import { progress } from '../bin/progress.mjs';
import { onStopSignal, stopsBySignal } from '../bin/stop-signals.mjs';
import { banner } from './banner.js';
import { messageFor } from './start-error.js';
import { startStandalone, type Standalone } from './start-standalone.js';
import { waitUntilUsable } from './wait-until-usable.js';

const demoTool = { id: 'formula.expression.evaluate.v1', parameters: '{"expression":"2 * (3 + 4)^2"}' };

answerAndExit(process.argv.slice(2));

const abort = new AbortController();
const starting = startStandalone(process.env, {
  onDatabaseExit: (detail) => {
    progress.end();
    process.stderr.write(`The embedded database has stopped: ${detail}\n`);
    process.exit(1);
  },
  onRemark: (remark) => process.stderr.write(`${remark}\n`),
  onStep: (step) => progress.step(step),
  signal: abort.signal,
});

let isUsable = false;
onStopSignal(async () => {
  abort.abort();
  const standalone = await starting.catch(() => undefined);
  await standalone?.stop();
  progress.end();
  if (isUsable) return 0;
  process.stderr.write('Stopped while starting. Nothing is lost: the next start goes on from here.\n');
  return undefined;
});

try {
  await announce(await starting);
} catch (error) {
  // A start that a signal has ended is reported by whoever handles the signal.
  if (!stopsBySignal()) {
    progress.end();
    process.stderr.write(`capability-router could not start: ${messageFor(error)}\n`);
    process.exit(1);
  }
}

async function announce(standalone: Standalone): Promise<void> {
  progress.step('Waiting until the first call would be accepted');
  const keyState = await waitUntilUsable(standalone.demo);
  if (stopsBySignal()) return;
  isUsable = true;
  progress.end();
  const demoFile = relative(process.cwd(), standalone.demoFile);
  const { demo, metricsUrl } = standalone;
  const isKeyTaken = keyState === 'taken';
  process.stdout.write(banner({ demo, demoFile, metricsUrl, isKeyTaken }, demoTool));
}
