// A process that owns an embedded database until it is told to stop or is killed.
// Usage: node --conditions=@capability-router/source owner.mjs DATA_DIR
import { register } from 'node:module';

register('./typescript-loader.mjs', import.meta.url);
const { startEmbeddedPostgres } = await import('../index.ts');

const logger = { info: (message) => console.error(message), error: (message) => console.error(message) };
try {
  const database = await startEmbeddedPostgres({ dataDir: process.argv[2], logger });
  const urls = { ownerUrl: database.ownerUrl('billing'), appUrl: database.appUrl('billing') };
  const alive = setInterval(() => undefined, 1000);
  process.once('SIGTERM', async () => {
    clearInterval(alive);
    await database.stop();
  });
  // Said last: whoever hears it may send the signal at once.
  console.log(JSON.stringify(urls));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
