import type pg from 'pg';

/** A pool that hands out no connection while its gate is shut: a process that stalls between reading and writing. */
export function gatedPool(pool: pg.Pool): { pool: pg.Pool; shut(): void; open(): void; waiting(): number } {
  let gate: Promise<void> | undefined;
  let release = (): void => undefined;
  let waiting = 0;
  const gated = new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') {
        return async () => {
          waiting += 1;
          await gate;
          waiting -= 1;
          return target.connect();
        };
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  return {
    pool: gated,
    shut: () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => {
      gate = undefined;
      release();
    },
    waiting: () => waiting,
  };
}
