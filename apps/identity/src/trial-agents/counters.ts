import type { DayCap, DayWindow, RegistrationCap, RegistrationCaps } from './registration-caps.js';

/** A cap of one day, and what is to be taken of it. */
export interface Counter extends DayCap {
  /** Milliseconds since the epoch. */
  readonly windowStartMs: number;
}

/** Whoever is counted. */
export interface Counted {
  readonly caps: RegistrationCaps;
  readonly window: DayWindow;
}

/** Names the counter among those of all days. */
export const counterKey = ({ windowStartMs, scope }: Pick<Counter, 'windowStartMs' | 'scope'>): string =>
  `${windowStartMs} ${scope}`;

const counterOf = ({ startMs }: DayWindow, cap: RegistrationCap): Counter => ({ ...cap, windowStartMs: startMs });

/**
 * The counters of many together, each once, with what all of them take of it. Their own are in the order in which every writer
 * takes them, addresses before networks, so that two writers wait for each other and never deadlock; what they share is apart.
 */
export function countersOf(counted: readonly Counted[]): { readonly own: Counter[]; readonly shared: Counter[] } {
  const places = Math.max(0, ...counted.map(({ caps }) => caps.own.length));
  const own = Array.from({ length: places }, (_, place) =>
    added(
      counted.flatMap(({ caps, window }) => {
        const cap = caps.own[place];
        return cap === undefined ? [] : [counterOf(window, cap)];
      }),
    ),
  );
  return { own: own.flat(), shared: added(counted.map(({ caps, window }) => counterOf(window, caps.shared))) };
}

function added(counters: readonly Counter[]): Counter[] {
  const byKey = new Map<string, Counter>();
  for (const counter of counters) {
    const key = counterKey(counter);
    byKey.set(key, { ...counter, amount: counter.amount + (byKey.get(key)?.amount ?? 0n) });
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counter]) => counter);
}

/**
 * Admits one after the other for as long as each of their caps has room for it beside those before.
 * @param used what is taken by now, by `counterKey`; absent for nothing
 * @returns the cap that has no room for each of them, the widest where several have none; undefined for whoever is admitted
 */
export function fullCaps(
  counted: readonly Counted[],
  used: ReadonlyMap<string, bigint>,
): (RegistrationCap | undefined)[] {
  const taken = new Map(used);
  return counted.map(({ caps, window: { startMs } }) => {
    const keyed = [...caps.own, caps.shared].map((cap) => {
      const key = counterKey({ ...cap, windowStartMs: startMs });
      return { cap, key, after: (taken.get(key) ?? 0n) + cap.amount };
    });
    const full = keyed.findLast(({ cap, after }) => after > cap.allowed);
    if (full === undefined) for (const { key, after } of keyed) taken.set(key, after);
    return full?.cap;
  });
}
