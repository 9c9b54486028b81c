import type { RedisConnection } from '@capability-router/service-kit/config';
import { lookAtRedis as look, wrongRedis } from '@capability-router/service-kit/redis';
import { failed, ok, type Finding } from './finding.js';

const ADVICE =
  'Start Redis, or correct REDIS_URL. Without it every replica counts rate limits for itself, and calls go on.';

/** Whether it answers, by the services' own look. */
export async function lookAtRedis(connection: RedisConnection): Promise<Finding> {
  const found = await look(connection);
  if (found.state === 'ok') return ok('redis', 'answers');
  const problem = Object.entries(wrongRedis(found, connection)?.problems ?? {})[0];
  return problem === undefined
    ? failed('redis', found.reason, ADVICE.replace('REDIS_URL', connection.settings.place))
    : failed('redis', problem[1], `Correct ${problem[0]}.`);
}
