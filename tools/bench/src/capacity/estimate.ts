import type { CallCost } from '../call-cost/call-cost.js';
import type { Assumptions } from './assumptions.js';

type ByName = Readonly<Record<string, number>>;

export interface Demand {
  readonly callsPerSecond: number;
  readonly accounts: number;
  /** Days over which data grows. */
  readonly days: number;
}

/** The published figures that are not of `CallCost`, from `docs/performance.md`. */
export interface PublishedFigures {
  /** Microseconds of processor time that one paid call takes, by process. */
  readonly cpuMicroseconds: ByName;
  /** Executions a second that one process of billing settles and audits. */
  readonly settledPerSecond: number;
}

/** The terms of a topic. */
export interface TopicTerms {
  readonly name: string;
  readonly partitions: number;
  /** Undefined: for ever. */
  readonly retentionDays: number | undefined;
  readonly compacted: boolean;
}

export interface Estimate {
  readonly services: readonly {
    readonly name: string;
    readonly cores: number;
    readonly replicas: number;
    readonly memoryBytes: number;
  }[];
  readonly servers: readonly { readonly name: string; readonly cores: number }[];
  readonly databases: readonly {
    readonly service: string;
    readonly cores: number;
    readonly walBytesPerSecond: number;
    readonly bytesPerDay: number;
    readonly bytesOfAccounts: number;
    readonly bytesAfter: number;
  }[];
  readonly walPageImageBytesPerSecond: number;
  readonly topics: readonly { readonly name: string; readonly bytesPerSecond: number; readonly bytesKept: number }[];
  readonly brokers: {
    readonly bytesPerSecond: number;
    readonly bytesKept: number;
    readonly diskBytes: number;
    readonly count: number;
  };
  readonly partitions: { readonly needed: number; readonly there: number };
  /** The rate at which each would be full, the first bottleneck first. */
  readonly limits: readonly { readonly what: string; readonly callsPerSecond: number }[];
}

const SECONDS_PER_DAY = 86_400;
const MICROSECONDS = 1_000_000;
/** Fewer replicas of a service would not survive the loss of one. */
const REPLICAS_LEAST = 2;
/** As many brokers as there are copies, so that each copy is on another one. */
const servers = ['Kafka', 'Redis'] as const;

/** How much of everything a demand needs. Pure: the same figures give the same answer. */
export function estimate(
  demand: Demand,
  cost: CallCost,
  figures: PublishedFigures,
  topics: readonly TopicTerms[],
  given: Assumptions,
): Estimate {
  const { callsPerSecond: rate, accounts, days } = demand;
  const coresOf = (microseconds: number): number => (rate * microseconds) / MICROSECONDS;
  const ofDatabase = (service: string): number =>
    (figures.cpuMicroseconds['PostgreSQL'] ?? 0) * (cost.perCall.activeShare[service] ?? 0);
  const services = Object.entries(cost.memoryBytes).map(([name, bytes]) => {
    const cores = coresOf(figures.cpuMicroseconds[name] ?? 0);
    // Node works on one processor of a replica; the spare one takes over where another is lost.
    const replicas = Math.max(REPLICAS_LEAST, Math.ceil(cores / given.utilisation) + 1);
    return { name, cores, replicas, memoryBytes: bytes + given.memoryReserveBytes };
  });
  const databases = Object.entries(cost.perCall.databases).map(([service, growth]) => {
    const bytesPerDay = (growth.heapBytes + growth.indexBytes) * rate * SECONDS_PER_DAY;
    const account = cost.perAccount.databases[service];
    const bytesOfAccounts = accounts * ((account?.heapBytes ?? 0) + (account?.indexBytes ?? 0));
    return {
      service,
      cores: coresOf(ofDatabase(service)),
      walBytesPerSecond: rate * (cost.perCall.walRecordBytes[service] ?? 0),
      bytesPerDay,
      bytesOfAccounts,
      bytesAfter: bytesOfAccounts + bytesPerDay * days,
    };
  });
  const perTopic = topics.flatMap(({ name, retentionDays, compacted }) => {
    const [perCall, perAccount] = [cost.perCall.topicBytes[name] ?? 0, cost.perAccount.topicBytes[name] ?? 0];
    if (perCall === 0 && perAccount === 0) return [];
    const kept = Math.min(days, retentionDays ?? days) * SECONDS_PER_DAY * rate * perCall;
    // A compacted topic keeps about one record of each account.
    const bytesKept = perAccount * accounts + (compacted ? perCall * accounts : kept);
    return [{ name, bytesPerSecond: rate * perCall, bytesKept }];
  });
  const bytesPerSecond = sumOf(perTopic, (topic) => topic.bytesPerSecond) * given.replicationFactor;
  const bytesKept = sumOf(perTopic, (topic) => topic.bytesKept) * given.replicationFactor;
  const count = Math.max(given.replicationFactor, Math.ceil(bytesPerSecond / given.brokerBytesPerSecond));
  return {
    services,
    servers: servers.map((name) => ({ name, cores: coresOf(figures.cpuMicroseconds[name] ?? 0) })),
    databases,
    walPageImageBytesPerSecond: rate * cost.perCall.walPageImageBytes,
    topics: perTopic,
    brokers: { bytesPerSecond, bytesKept, diskBytes: bytesKept / given.diskUse / count, count },
    partitions: {
      needed: Math.ceil(rate / (figures.settledPerSecond * given.utilisation)),
      there: Math.min(
        ...topics.filter(({ name }) => name.includes('.executions.')).map(({ partitions }) => partitions),
      ),
    },
    limits: limitsOf(cost, figures, topics, given),
  };
}

/** The rate of calls at which each part of a deployment is full, when replicas of services are added as they are needed. */
function limitsOf(
  cost: CallCost,
  figures: PublishedFigures,
  topics: readonly TopicTerms[],
  given: Assumptions,
): Estimate['limits'] {
  const postgres = figures.cpuMicroseconds['PostgreSQL'] ?? 0;
  const limits = [...Object.keys(cost.perCall.databases)].flatMap((service) => {
    const share = cost.perCall.activeShare[service] ?? 0;
    const wal = (cost.perCall.walRecordBytes[service] ?? 0) + cost.perCall.walPageImageBytes * share;
    return [
      {
        what: `processors of the primary of ${service}'s database (${given.databaseCores} cores)`,
        callsPerSecond: (given.databaseCores * given.utilisation * MICROSECONDS) / (postgres * share),
      },
      { what: `write-ahead log of ${service}'s database`, callsPerSecond: given.walBytesPerSecond / wal },
    ];
  });
  const partitions = Math.min(
    ...topics.filter(({ name }) => name.includes('.executions.')).map((topic) => topic.partitions),
  );
  return [
    ...limits,
    {
      what: `processes of billing, one for each of ${partitions} partitions`,
      callsPerSecond: partitions * figures.settledPerSecond * given.utilisation,
    },
    {
      what: 'the one thread of Redis',
      callsPerSecond: (given.utilisation * MICROSECONDS) / (figures.cpuMicroseconds['Redis'] ?? Number.NaN),
    },
  ]
    .filter(({ callsPerSecond }) => Number.isFinite(callsPerSecond))
    .sort((a, b) => a.callsPerSecond - b.callsPerSecond);
}

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);
