import { join } from 'node:path';
import { tellNearMiss } from '@capability-router/service-kit/config';
import { createLogger } from '@capability-router/service-kit/logger';
import type { StandaloneConfig } from './config.js';
import { explainWithin, prepareDataFolder } from './data-folder.js';
import type { Demo } from './demo.js';
import { startEmbeddedPostgres } from './embedded-postgres/index.js';
import { reservePorts, type ReservedPorts } from './reserve-port.js';
import { judgeSettings, misspeltSettings } from './service-settings.js';

export interface Standalone {
  readonly demo: Demo;
  readonly demoFile: string;
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  onDatabaseExit(detail: string): void;
  /** Called with a remark for the operator about something that does not stop the start. */
  onRemark?(remark: string): void;
  /** Called with the name of each step before it begins. */
  onStep?(step: string): void;
  /** Ends the start at the next step, with everything that has started; the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * The six services in one process, on a database of its own and the embedded bus. Throws with a message for people.
 * The services are loaded while the database is created or started: this file and what it imports stay light.
 */
export async function startStandalone(processEnv: NodeJS.ProcessEnv, options: StartOptions): Promise<Standalone> {
  const config = judgeSettings(processEnv);
  for (const miss of misspeltSettings(processEnv)) options.onRemark?.(tellNearMiss(miss));
  const ports = await reservePorts(config);
  try {
    return await startOn(ports, { processEnv, config }, options);
  } catch (error) {
    await Promise.all([ports.gateway.release(), ports.metrics.release()]);
    throw error;
  }
}

async function startOn(
  ports: ReservedPorts,
  { processEnv, config }: { readonly processEnv: NodeJS.ProcessEnv; readonly config: StandaloneConfig },
  options: StartOptions,
): Promise<Standalone> {
  const { signal } = options;
  const onStep = (step: string): void => {
    signal?.throwIfAborted();
    options.onStep?.(step);
  };
  const dataDir = prepareDataFolder(config.DATA_DIR);
  try {
    const logger = createLogger('standalone', config.LOG_LEVEL);
    // Loading the services keeps the processor busy: it begins when the database has something to do meanwhile.
    let databaseRuns: () => void = () => undefined;
    const loaded = new Promise<void>((resolve) => (databaseRuns = resolve)).then(async () => {
      await readAhead();
      return import('./run-services.js');
    });
    const starting = startEmbeddedPostgres({
      dataDir,
      logger: { info: (message) => logger.info(message), error: (message) => logger.error(message) },
      onUnexpectedExit: (detail) => options.onDatabaseExit(detail),
      onStep,
      onSpawn: databaseRuns,
      ...(signal === undefined ? {} : { signal }),
    });
    loaded.catch(() => undefined);
    const postgres = await starting;
    try {
      const { runServices } = await loaded;
      const services = await runServices({ processEnv, config, dataDir, ports, postgres, onStep });
      return {
        demo: services.demo,
        demoFile: join(dataDir, 'demo.json'),
        metricsUrl: services.metricsUrl,
        async stop() {
          try {
            await services.stop();
          } finally {
            await postgres.stop();
          }
        },
      };
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  } catch (error) {
    throw explainWithin(dataDir, config.DATA_DIR, error);
  }
}

/**
 * A thread reads the dictionary of the search index, a second's work of the first start, while this one loads the services.
 * Where that fails, the registry tries again, and says why.
 */
async function readAhead(): Promise<void> {
  const { loadChineseGlossesApart } = await import('@capability-router/registry/read-ahead');
  loadChineseGlossesApart().catch(() => undefined);
}
