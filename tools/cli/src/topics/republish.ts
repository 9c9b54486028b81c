import { forgetEvidence } from '@capability-router/capability-routing/evidence';
import { beginAnew, type BeganAnew } from '@capability-router/event-bus';
import { openPool } from '@capability-router/service-kit';
import type { GlobalOptions } from '../admin-api.js';
import { databasesOf, reading, services, type Service } from '../deployment/deployment.js';
import { leavesBehind, tellingRemains } from '../interruption.js';
import { startProgress } from '../progress.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

const CONNECT_TIMEOUT_MS = 10_000;

export interface RepublishOptions {
  readonly yes?: boolean;
}

interface Done {
  readonly service: Service;
  readonly relays: number;
  readonly positions: number;
}

/** @throws CommandError where it could not be done for every service; what was done stands, and may be done again */
export async function republish(options: RepublishOptions, global: GlobalOptions, terminal: Terminal): Promise<void> {
  if (options.yes !== true) {
    throw new CommandError(exitCodes.usage, 'this publishes every event of the deployment again', [
      'Stop all services, have `prepare` make the topics, and give --yes.',
    ]);
  }
  const urls = await databasesOf({}, services, terminal);
  const done = await tellingRemains(terminal, () => beginAll(urls, global, terminal));
  if (global.json === true) {
    terminal.out(JSON.stringify({ services: done }));
    return;
  }
  for (const { service, relays, positions } of done) {
    terminal.out(
      `${service}: ${relays} relay(s) publish from the beginning, ${positions} position(s) of readers are gone`,
    );
  }
  terminal.out('Start the services now. caprouter doctor says when everything is published and handled.');
}

async function beginAll(
  urls: ReadonlyMap<Service, string>,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<Done[]> {
  const done: Done[] = [];
  const progress = await startProgress(terminal, global, { unit: 'services', total: urls.size });
  try {
    for (const [service, url] of urls) {
      progress.report(done.length, service);
      const unsure = `${service} may have been begun anew. Give the same command again before you start any.`;
      leavesBehind(terminal, ...begunAnew(done), unsure);
      const began = await reading(() => beginService(service, url));
      if (began.status === 'held') {
        leavesBehind(terminal, ...begunAnew(done));
        throw new CommandError(exitCodes.failed, `${service} still runs: ${began.relays.join(', ')}`, [
          'Stop its replicas. One that was killed lets go within RELAY_LEASE_MS; then run this again.',
        ]);
      }
      done.push({ service, relays: began.relays, positions: began.positions });
    }
    progress.report(done.length);
  } finally {
    progress.end();
  }
  return done;
}

const begunAnew = (done: readonly Done[]): string[] =>
  done.length === 0 ? [] : [`Begun anew: ${done.map(({ service }) => service).join(', ')}.`];

async function beginService(service: Service, connectionString: string): Promise<BeganAnew> {
  const options = { max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'caprouter' };
  const pool = openPool({ connectionString, ...options });
  try {
    const began = await beginAnew(pool);
    // It is made of events again, and counts each of them where it counts the others.
    if (began.status === 'began' && service === 'capability-routing') await forgetEvidence(pool);
    return began;
  } finally {
    await pool.end();
  }
}
