/** `npm run stack:up`: PostgreSQL, Redis and Kafka as plain processes under ./.stack. Safe to repeat. */
import { join } from 'node:path';
import { runCommand } from './command-line.js';
import { startStack } from './start-stack.js';

await runCommand(async () => {
  const stack = await startStack({
    log: (line) => {
      console.log(line);
    },
  });
  console.log(`The stack is up; addresses and passwords are in ${join(stack.directory, 'stack.json')}`);
  console.log('Next: npm run services. To stop everything: npm run stack:down');
});
