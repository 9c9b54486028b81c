import { freePorts, type StackState, type StartStackOptions } from '@capability-router/tools-stack';
import { buildApp } from 'fauxqs';
import { ServiceAddress } from '../pods/service-address.js';

const KAFKA_PORT = 9092;
const POSTGRES_PORT = 5432;
const REDIS_PORT = 6379;
const S3_PORT = 9000;
export const BUCKET = 'full-results';

/** A listener of the broker whose clients are told the address of the host. */
export async function kafkaListenerFor(
  host: string,
): Promise<NonNullable<StartStackOptions['kafkaListeners']>[number]> {
  const [port = 0] = await freePorts(1);
  return { name: 'PODS', port, advertised: `${host}:${KAFKA_PORT}`, protocol: 'PLAINTEXT', settings: {} };
}

/** The stores of a stack, at the address of the host that pods reach, on the ports that the chart lets them connect to, and a bucket. */
export class Stores {
  private constructor(
    /** As pods have to be told of it. */
    readonly seenByPods: StackState,
    readonly s3: { readonly endpoint: string; readonly port: number },
    private readonly closers: (() => Promise<unknown>)[],
  ) {}

  static async open(stack: StackState, host: string, kafkaListenerPort: number): Promise<Stores> {
    const closers: (() => Promise<unknown>)[] = [];
    const served: [number, number][] = [
      [POSTGRES_PORT, stack.parts.postgres.port],
      [REDIS_PORT, stack.parts.redis.port],
      [KAFKA_PORT, kafkaListenerPort],
    ];
    for (const [port, target] of served) {
      const address = new ServiceAddress(host, port, target);
      address.endpoints = ['127.0.0.1'];
      await address.listen();
      closers.push(() => address.close());
    }
    // Not by its own start function, which listens on all addresses.
    const bucket = buildApp({ logger: false });
    const endpoint = await bucket.listen({ host, port: S3_PORT });
    closers.push(() => bucket.close());
    const created = await fetch(`${endpoint}/${BUCKET}`, { method: 'PUT' });
    if (!created.ok) throw new Error(`the bucket was not made: ${created.status}`);
    return new Stores(movedTo(stack, host), { endpoint, port: S3_PORT }, closers);
  }

  async close(): Promise<void> {
    for (const close of this.closers) await close();
  }
}

function movedTo(stack: StackState, host: string): StackState {
  const moved = (url: string, port: number): string => url.replace(/@127[.]0[.]0[.]1:\d+/, `@${host}:${port}`);
  const databases = Object.entries(stack.databases).map(([service, access]) => [
    service,
    {
      ...access,
      ownerUrl: moved(access.ownerUrl, POSTGRES_PORT),
      appUrl: moved(access.appUrl, POSTGRES_PORT),
    },
  ]);
  return {
    ...stack,
    databases: Object.fromEntries(databases) as StackState['databases'],
    redisUrl: moved(stack.redisUrl, REDIS_PORT),
    kafkaBrokers: [`${host}:${KAFKA_PORT}`],
  };
}
