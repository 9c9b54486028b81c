/** `npm run stack:down`: stops what `stack:up` and `services` started. With `-- --purge` the data goes too. */
import { runCommand } from './command-line.js';
import { stopStack } from './stop-stack.js';

await runCommand(async () => {
  const removeData = process.argv.includes('--purge');
  await stopStack({
    removeData,
    log: (line) => {
      console.log(line);
    },
  });
  console.log(removeData ? 'The stack is down and its data deleted' : 'The stack is down; its data stays in .stack');
});
