/** The keys and commands of whoever uses Redis here, as rules of `ACL SETUSER`. A user who has no more can do them all. */
export const redisRights: readonly string[] = [
  ...['resetkeys', '~gateway:rate:*', '~{provider-cache:1}:*', 'resetchannels', '-@all'],
  ...['+ping', '+info', '+select', '+client|setname', '+cluster|slots', '+cluster|info', '+eval', '+time'],
  ...['+get', '+set', '+del', '+incr', '+incrby', '+decrby', '+pttl', '+pexpire'],
  ...['+hget', '+hset', '+hdel', '+zadd', '+zrem', '+zcard', '+zrange', '+zrangebyscore'],
];
