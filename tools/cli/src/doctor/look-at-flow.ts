import { topics as allTopics, type ContextName } from '@capability-router/contracts';
import { laneOf, silentLogger } from '@capability-router/event-bus';
import { lookAtBrokers, type TopicReader } from '@capability-router/event-bus/kafka';
import { wantedTopics, wrongBrokers } from '@capability-router/service-kit';
import { comparePositions } from '@capability-router/event-store';
import type pg from 'pg';
import type { Service } from '../deployment/deployment.js';
import { failed, lookAt, ok, warning, type Finding } from './finding.js';
import { atLeast, MAX_WAIT_SECONDS, readPositions, readUnread, type ConsumerPosition } from './flow.sql.js';
import type { Settings } from './look-at-settings.js';

/** Events; on Kafka only their number is known. */
const MAX_LAG = 1_000;
/** Partitions have markers of transactions at their ends, which are no events. */
const MAX_MARKERS = 1n;

export type Pools = ReadonlyMap<Service, pg.Pool>;

/** Whether the brokers let this client in, and have the topics of this build as they have to be. */
export const lookAtKafka = ({ values, connection }: NonNullable<Settings['kafka']>): Promise<Finding> =>
  lookAt(
    'kafka',
    async () => {
      const wanted = wantedTopics(undefined, values);
      const look = await lookAtBrokers({ ...connection, clientId: 'caprouter', logger: silentLogger }, wanted);
      if (look.state === 'ok') return ok('kafka', `answers, and has all ${wanted.length} topics`);
      const [[setting, problem] = []] = Object.entries(wrongBrokers(look, values)?.problems ?? {});
      if (setting !== undefined && problem !== undefined) return failed('kafka', problem, `Correct ${setting}.`);
      return look.state === 'missing'
        ? failed('kafka', look.reason, 'Run prepare, which makes the topics.')
        : failed('kafka', look.reason, 'Start the brokers, or correct KAFKA_BROKERS.');
    },
    'Start the brokers, or correct KAFKA_BROKERS.',
  );

/** How far the consumers of a service are behind. `topics`: absent on the embedded bus. */
export const lookAtLag = (service: Service, pools: Pools, topics: TopicReader | undefined): Promise<Finding> =>
  lookAt(
    `lag ${service}`,
    async () => {
      const pool = pools.get(service);
      const positions = pool === undefined ? [] : await readPositions(pool);
      const late: string[] = [];
      for (const flow of new Set(positions.map(nameOf))) {
        const slots = positions.filter((position) => nameOf(position) === flow);
        const said = topics === undefined ? await embeddedLag(slots, pools) : await kafkaLag(slots, topics);
        if (said !== undefined) late.push(`${flow}: ${said}`);
      }
      if (late.length === 0) return ok(`lag ${service}`, 'its consumers keep up');
      return warning(
        `lag ${service}`,
        late.join('; '),
        `Look whether ${service} runs, and at its log; a parked key holds up no other. Add replicas where it only is slow.`,
      );
    },
    'Look at the databases and at Kafka first.',
  );

const nameOf = ({ group, topic }: ConsumerPosition): string => `${group} in ${topic}`;

async function kafkaLag(slots: readonly ConsumerPosition[], topics: TopicReader): Promise<string | undefined> {
  const ends = await topics.endsOf(slots[0]?.topic ?? '');
  let behind = 0n;
  for (const { partition, position } of slots) {
    const end = ends.get(partition) ?? 0n;
    const left = end - BigInt(position === '' ? '0' : position);
    if (left > MAX_MARKERS) behind += left;
  }
  return behind > BigInt(MAX_LAG) ? `${behind} records behind` : undefined;
}

/** Each lane of a group has its own position, and reads the keys that are its own. */
async function embeddedLag(slots: readonly ConsumerPosition[], pools: Pools): Promise<string | undefined> {
  const [first] = slots.map(({ position }) => position).sort(comparePositions);
  const topic = slots[0]?.topic ?? '';
  const source = allTopics.find(({ name }) => name === topic)?.producer as ContextName | undefined;
  const pool = source === undefined || source === 'gateway' ? undefined : pools.get(source);
  if (first === undefined || pool === undefined) return undefined;
  const unread = (await readUnread(pool, topic, first)).filter(({ key, position }) => {
    const lane = slots.find(({ partition }) => partition === laneOf(key, slots.length));
    return lane !== undefined && comparePositions(position, lane.position) > 0;
  });
  const age = unread[0]?.age ?? 0;
  return age > MAX_WAIT_SECONDS ? `${atLeast(unread.length)} events wait, for ${age.toFixed(0)} s` : undefined;
}
