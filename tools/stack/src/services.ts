/** `npm run services`: the six services on the running stack, until Ctrl-C. REPLICAS=2 starts two of each. */
import { join } from 'node:path';
import { runCommand } from './command-line.js';
import { startServices } from './services/start-services.js';
import { readRunningStack } from './stack-state.js';
import { OperatorError } from './system/programs.js';

const replicasMax = 8;
/** The one that the README names. */
const gatewayPort = 8080;

await runCommand(async () => {
  const replicas = Number(process.env['REPLICAS'] ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > replicasMax) {
    throw new OperatorError(`REPLICAS must be a whole number from 1 to ${replicasMax}`);
  }
  const stack = readRunningStack();
  const services = await startServices({
    stack,
    replicas,
    gatewayPort,
    log: (line) => {
      console.log(line);
    },
  });
  console.log(`The gateway is at ${services.gatewayUrls.join(' and ')}; logs are in ${join(stack.directory, 'logs')}`);
  console.log(`Keys of the demo and the admin account are in ${join(stack.directory, 'demo.json')}. Ctrl-C stops.`);
  const idle = setInterval(() => undefined, 60_000);
  const stop = (): void => {
    clearInterval(idle);
    void runCommand(() => services.stop());
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
});
