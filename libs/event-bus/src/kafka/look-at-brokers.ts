import type { Admin } from 'kafkajs';
import { isTlsError } from '../shared/tls-errors.js';
import { createKafka, type KafkaClientOptions } from './kafka-client.js';

export interface WantedTopic {
  readonly name: string;
  /** The least; keys have moved where there are more, and nothing else is worse. */
  readonly partitions: number;
  /** Settings of the topic on the broker, as the broker writes them. */
  readonly config: Readonly<Record<string, string>>;
}

/**
 * `away`: waiting may mend it. `missing`: somebody has to make topics, and what waits for them goes on then. The others no
 * waiting mends: the certificate (`tls`), the user (`login`), and topics that are not as they have to be (`topics`).
 */
export type BrokersLook =
  | { readonly state: 'ok' }
  | { readonly state: 'away' | 'missing' | 'tls' | 'login' | 'topics'; readonly reason: string };

/** Milliseconds for the whole look: a broker that has just begun takes seconds for its first TLS handshake. */
const LOOK_MS = 10_000;
/** `ConfigResourceTypes.TOPIC` of kafkajs, which exports it in a way that Node's modules do not see. */
const TOPIC_RESOURCE = 2;
const pauses = { initialRetryTime: 100, maxRetryTime: 200 };

/** Connects once, by a connection of its own, and compares topics. Never throws. */
export async function lookAtBrokers(options: KafkaClientOptions, wanted: readonly WantedTopic[]): Promise<BrokersLook> {
  // Each broker is tried, since one of several may be away.
  const retry = { ...pauses, retries: options.brokers.length };
  const admin = createKafka({ ...options, connectionTimeoutMs: LOOK_MS, retry }).admin({ retry });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<BrokersLook>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS, { state: 'away', reason: `no broker answers within ${LOOK_MS} ms` });
  });
  const look = (async (): Promise<BrokersLook> => {
    try {
      await admin.connect();
      return await compare(admin, wanted);
    } catch (error) {
      return stateOf(error);
    } finally {
      void admin.disconnect().catch(() => undefined);
    }
  })();
  return Promise.race([look, late]).finally(() => clearTimeout(timer));
}

async function compare(admin: Admin, wanted: readonly WantedTopic[]): Promise<BrokersLook> {
  const there = new Set(await admin.listTopics());
  const missing = wanted.filter(({ name }) => !there.has(name)).map(({ name }) => name);
  if (missing.length > 0) return { state: 'missing', reason: `the brokers show no ${missing.join(', ')}` };
  if (wanted.length === 0) return { state: 'ok' };
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted.map(({ name }) => name) });
  const partitions = new Map(topics.map((topic) => [topic.name, topic.partitions.length]));
  const configs = await configsOf(admin, wanted);
  const faults = wanted.flatMap(({ name, partitions: least, config }) => {
    const found = partitions.get(name) ?? 0;
    const others = Object.entries(config).flatMap(([setting, value]) => {
      const set = configs.get(name)?.get(setting);
      return set === undefined || set === value ? [] : [`${name} has ${setting}=${set} instead of ${value}`];
    });
    return found < least ? [`${name} has ${found} partition(s) instead of ${least}`, ...others] : others;
  });
  return faults.length === 0 ? { state: 'ok' } : { state: 'topics', reason: faults.join(', ') };
}

/** By topic and setting. Empty where the user may not read them: nobody has to grant that. */
async function configsOf(
  admin: Admin,
  wanted: readonly WantedTopic[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: wanted.map(({ name, config }) => ({
        type: TOPIC_RESOURCE,
        name,
        configNames: Object.keys(config),
      })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => [
        resourceName,
        new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
      ]),
    );
  } catch (error) {
    if (/AUTHORIZATION/.test(String((error as { type?: unknown }).type))) return new Map();
    throw error;
  }
}

/** Names of errors, and types of those of the protocol. */
const loginErrors: ReadonlySet<string> = new Set([
  'KafkaJSSASLAuthenticationError',
  'LoginRefused',
  'UNSUPPORTED_SASL_MECHANISM',
  'SASL_AUTHENTICATION_FAILED',
]);

function stateOf(error: unknown): BrokersLook {
  const causes = causesOf(error);
  const [first] = causes;
  const tls = causes.find(isTlsError);
  if (tls !== undefined) return { state: 'tls', reason: tls.message };
  const login = causes.find(({ name, type }) => loginErrors.has(name) || loginErrors.has(String(type)));
  if (login !== undefined) return { state: 'login', reason: login.message };
  return { state: 'away', reason: first?.message ?? String(error) };
}

/** The error, and what it says to have come of. */
function causesOf(error: unknown): readonly (Error & { readonly code?: unknown; readonly type?: unknown })[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) causes.push(cause);
  return causes;
}
