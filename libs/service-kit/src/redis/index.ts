export { openRedis, type RedisClient } from './open-redis.js';
export { lookAtRedis, type RedisLook } from './look-at-redis.js';
export { redisRights } from './redis-rights.js';
export { wrongRedis } from './wrong-redis.js';
