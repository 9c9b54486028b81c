// `npm start`: builds what standalone needs, unless it is built, and runs it in this process.
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerAndExit } from './command-line.mjs';
import { buildIfNeeded, BuildError } from './build/build.mjs';
import { progress } from './progress.mjs';
import { onStopSignal } from './stop-signals.mjs';

answerAndExit(process.argv.slice(2));

const root = fileURLToPath(new URL('../../..', import.meta.url));
let stopBuild = () => undefined;
onStopSignal(() => {
  stopBuild();
  progress.end();
  process.stderr.write('Stopped while building. The next start builds anew.\n');
});
try {
  await buildIfNeeded(root, progress, (stop) => (stopBuild = stop));
} catch (error) {
  progress.end();
  process.stderr.write(error instanceof BuildError ? `${error.message}\n` : `${error?.stack ?? error}\n`);
  process.exit(1);
}
// Later starts need not compile the packages again; Node 20 cannot keep what it compiled.
module.enableCompileCache?.(join(root, 'node_modules/.cache/capability-router/compiled'));
await import('./source-maps.mjs');
await import(new URL('../dist/main.js', import.meta.url));
// By now everything is loaded; a process that is killed later does not write.
module.flushCompileCache?.();
