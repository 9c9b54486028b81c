import { isJsonObject } from '@capability-router/kernel';
import type { ExecutionOutcome } from '@capability-router/contracts';
import type { RedisClient } from '@capability-router/service-kit/redis';
import { bytesOf, type CacheBounds, type CachedResult, type ResultCache } from './cached-result.js';

/** One hash slot, so that one script may touch all of them. The number is that of the format. */
const PREFIX = '{provider-cache:1}:';
const indexKeys = [`${PREFIX}expiry`, `${PREFIX}sizes`, `${PREFIX}bytes`] as const;
/** Entries that one write may remove; a bound that was lowered is reached over several writes. */
const MAX_EVICTIONS = 100;
const NEW_LINE = 0x0a;

/**
 * Writes an entry and keeps the whole within its bounds: what has expired goes, then what expires soonest. Redis expires the
 * values by itself; the index of their sizes follows with the next write.
 */
const putScript = `
local value, expiry, sizes, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local size, ttl, maxEntries, maxBytes = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function remove(key)
  local known = redis.call('HGET', sizes, key)
  if known then redis.call('DECRBY', bytes, known) end
  redis.call('HDEL', sizes, key)
  redis.call('ZREM', expiry, key)
  redis.call('DEL', key)
end
for _, key in ipairs(redis.call('ZRANGEBYSCORE', expiry, '-inf', now, 'LIMIT', 0, ${MAX_EVICTIONS})) do remove(key) end
remove(value)
redis.call('SET', value, ARGV[1], 'PX', ttl)
redis.call('ZADD', expiry, now + ttl, value)
redis.call('HSET', sizes, value, size)
redis.call('INCRBY', bytes, size)
for _ = 1, ${MAX_EVICTIONS} do
  if redis.call('ZCARD', expiry) <= maxEntries and tonumber(redis.call('GET', bytes)) <= maxBytes then break end
  local soonest = redis.call('ZRANGE', expiry, 0, 0)[1]
  if not soonest then
    redis.call('SET', bytes, 0)
    break
  end
  remove(soonest)
end`;

/** Shared by all replicas. */
export class RedisResultCache implements ResultCache {
  constructor(
    private readonly redis: RedisClient,
    private readonly bounds: CacheBounds,
  ) {}

  async get(key: string): Promise<CachedResult | undefined> {
    const value = await this.redis.getBuffer(`${PREFIX}${key}`);
    return value === null ? undefined : decode(value);
  }

  async put(key: string, result: CachedResult, ttlMs: number): Promise<void> {
    const { maxEntries, maxBytes, maxEntryBytes } = this.bounds;
    const size = bytesOf(result);
    if (size > Math.min(maxEntryBytes, maxBytes)) return;
    const args = [encode(result), size, ttlMs, maxEntries, maxBytes];
    await this.redis.eval(putScript, 1 + indexKeys.length, `${PREFIX}${key}`, ...indexKeys, ...args);
  }
}

/** The outcome as JSON in a line, then the data. */
const encode = ({ outcome, serialized }: CachedResult): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(outcome)}\n`), serialized]);

/** A result that cannot be read is a miss. */
function decode(value: Buffer): CachedResult | undefined {
  const end = value.indexOf(NEW_LINE);
  if (end < 0) return undefined;
  try {
    const outcome: unknown = JSON.parse(value.toString('utf8', 0, end));
    if (!isJsonObject(outcome)) return undefined;
    return { outcome: outcome as unknown as ExecutionOutcome, serialized: value.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
