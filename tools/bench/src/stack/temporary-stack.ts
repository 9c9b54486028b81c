import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack, stackDirectory, stopStack, type StackState } from '@capability-router/tools-stack';

/** PostgreSQL, Redis and Kafka of its own in a folder that is gone afterwards; a running stack is not touched. */
export async function withTemporaryStack<T>(work: (stack: StackState) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'capability-router-bench-stack-'));
  // The jars of Kafka are fetched once, for all stacks.
  process.env['KAFKA_LIBS_DIR'] ??= join(stackDirectory(), 'kafka-libs');
  try {
    return await work(await startStack({ directory, log: (line) => console.log(line) }));
  } finally {
    await stopStack({ directory, removeData: true });
    await rm(directory, { recursive: true, force: true });
  }
}
