import { TopicReader } from '@capability-router/event-bus/kafka';
import { databasesOf, openReadOnly, services, type Service } from '../deployment/deployment.js';
import { demoLogin, type DemoLogin } from '../gateway/demo-login.js';
import { environmentOf, Gateway, type GatewayOptions, type GlobalOptions } from '../gateway/gateway.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { failed, skipped, type Finding, type State } from './finding.js';
import { lookAtBooks } from './look-at-books.js';
import { lookAtDatabase } from './look-at-database.js';
import { lookAtKafka, lookAtLag, type Pools } from './look-at-flow.js';
import { lookAtGateway } from './look-at-gateway.js';
import { lookAtOutbox } from './look-at-outbox.js';
import { lookAtRedis } from './look-at-redis.js';
import { lookAtSettings, type Settings } from './look-at-settings.js';
import { lookAtWrites } from './look-at-writes.js';

export interface DoctorOptions {
  readonly dataDir?: string;
  /** Commander's `--no-invariants`. */
  readonly invariants?: boolean;
}

/** @throws CommandError where something failed */
export async function doctor(options: DoctorOptions, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const findings = [...(await throughGateway(options, global, terminal)), ...(await byConnections(options, terminal))];
  const count = (state: State): number => findings.filter((finding) => finding.state === state).length;
  if (global.json === true) {
    terminal.out(JSON.stringify({ healthy: count('failed') === 0, findings }));
  } else {
    for (const line of findings.flatMap(linesOf)) terminal.out(line);
    terminal.out(
      `${count('ok')} ok, ${count('warning')} to look at, ${count('failed')} failed, ${count('skipped')} left out`,
    );
  }
  if (count('failed') > 0) throw new CommandError(exitCodes.failed, `${count('failed')} look(s) failed`);
}

const linesOf = ({ check, state, found, advice }: Finding): string[] => [
  `${state.padEnd('warning'.length)}  ${check}: ${found}`,
  ...(advice === undefined ? [] : [`         → ${advice}`]),
];

async function throughGateway(
  { dataDir }: DoctorOptions,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<Finding[]> {
  let gateway: Gateway;
  let administration: Gateway | undefined;
  try {
    const demo = dataDir === undefined || isNamed(global, terminal) ? undefined : demoLogin(dataDir);
    gateway = Gateway.from(demo === undefined ? global : ofFolder(demo, global), terminal);
    if (demo?.adminKey !== undefined) {
      administration = Gateway.of(demo.gateway, { key: demo.adminKey, source: 'the data folder' });
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const advice = 'Name the gateway, and give a key: --gateway and --key-file, or caprouter login.';
    return [skipped('gateway', error.message, error.hints.length === 0 ? advice : error.hints.join(' '))];
  }
  return lookAtGateway(gateway, administration);
}

const isNamed = ({ gateway }: GlobalOptions, { env }: Terminal): boolean =>
  gateway !== undefined || environmentOf(env).url !== undefined;

/** The options, with the gateway of the folder where none is named: what login has kept may be of another deployment. */
const ofFolder = ({ gateway, apiKey }: DemoLogin, global: GlobalOptions): GatewayOptions => ({
  ...global,
  gateway,
  otherwiseKey: apiKey,
});

async function byConnections(options: DoctorOptions, terminal: Terminal): Promise<Finding[]> {
  const { dataDir } = options;
  if (dataDir === undefined) {
    const settings = lookAtSettings(terminal.env);
    const urls =
      settings.named.length === 0 ? new Map<Service, string>() : await databasesOf({}, settings.named, terminal);
    return [...settings.findings, ...(await lookAtParts(urls, settings, options))];
  }
  try {
    return await lookAtParts(await databasesOf({ dataDir }, services, terminal), undefined, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [failed('databases', error.message, 'Start it, or give the DATA_DIR of one that runs.')];
  }
}

/** `settings`: absent for a standalone instance, which has neither Kafka nor Redis. */
async function lookAtParts(
  urls: ReadonlyMap<Service, string>,
  settings: Settings | undefined,
  options: DoctorOptions,
): Promise<Finding[]> {
  const pools: Pools = new Map([...urls].map(([service, url]) => [service, openReadOnly(url)]));
  const kafkaSettings = settings?.kafka;
  const topics =
    kafkaSettings === undefined ? undefined : new TopicReader({ ...kafkaSettings.connection, clientId: 'caprouter' });
  try {
    const findings: Finding[] = [];
    const reached = new Map(pools);
    for (const [service, pool] of pools) {
      const found = await lookAtDatabase(service, pool);
      findings.push(...found);
      if (found[0]?.state === 'failed') reached.delete(service);
      else findings.push(await lookAtWrites(service, urls.get(service) ?? ''));
    }
    const kafka = kafkaSettings === undefined ? undefined : await lookAtKafka(kafkaSettings);
    if (kafka !== undefined) findings.push(kafka);
    for (const [service, pool] of reached) {
      if (settings !== undefined) findings.push(await lookAtOutbox(service, pool));
      if (settings === undefined || kafka?.state === 'ok') findings.push(await lookAtLag(service, reached, topics));
    }
    if (settings?.redis !== undefined) findings.push(await lookAtRedis(settings.redis));
    const billing = reached.get('billing');
    if (billing !== undefined && options.invariants !== false) findings.push(await lookAtBooks(billing));
    return findings;
  } finally {
    await topics?.close();
    await Promise.all([...pools.values()].map((pool) => pool.end()));
  }
}
