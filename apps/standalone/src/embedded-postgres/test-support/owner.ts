/** A process that owns an embedded database until it is told to stop or is killed. Usage: node owner.js DATA_DIR */
import { startEmbeddedPostgres } from '../index.js';

const logger = {
  info: (message: string) => console.error(message),
  error: (message: string) => console.error(message),
};
try {
  const database = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', logger });
  const urls = { ownerUrl: database.ownerUrl('billing'), appUrl: database.appUrl('billing') };
  const alive = setInterval(() => undefined, 1000);
  process.once('SIGTERM', () => {
    clearInterval(alive);
    void database.stop();
  });
  // Said last: whoever hears it may send the signal at once.
  console.log(JSON.stringify(urls));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
