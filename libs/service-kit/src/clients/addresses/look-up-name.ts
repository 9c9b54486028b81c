import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a host, of either family. Rejects where the name is not known, or nobody answers. */
export type LookUpName = (hostname: string) => Promise<readonly string[]>;

/** Names that are looked up at one time, of the four threads that files need as well. */
const MAX_AT_ONCE = 2;

/** As the machine resolves names, with its hosts file and search domains. */
export const lookUpByMachine: LookUpName = async (hostname) => {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
};

/** At most this many of them are about names for which the name server was silent the last time. */
const MAX_SILENT_AT_ONCE = 1;
/** Milliseconds after which a name server counts as silent about a name; one that is well takes a few. */
const SILENT_AFTER_MS = 2_000;

/**
 * Two names at a time, as Node itself has it: the system's call takes a thread for as long as a name server is silent, which
 * nothing can end. A name that it was silent about the last time never takes the second place, so that it keeps only its
 * like waiting. `silentAfterMs`: 2 s where absent.
 */
export function lookUpFewAtOnce(
  lookUp: LookUpName = lookUpByMachine,
  silentAfterMs: number = SILENT_AFTER_MS,
): LookUpName {
  const silent = new Set<string>();
  const running: { readonly isSilent: boolean }[] = [];
  const waiting: { readonly isSilent: boolean; readonly begin: () => void }[] = [];
  const beginNext = (): void => {
    while (running.length < MAX_AT_ONCE) {
      const silentTaken = running.filter(({ isSilent }) => isSilent).length >= MAX_SILENT_AT_ONCE;
      const at = waiting.findIndex(({ isSilent }) => !(isSilent && silentTaken));
      const [next] = at === -1 ? [] : waiting.splice(at, 1);
      if (next === undefined) return;
      running.push(next);
      next.begin();
    }
  };
  return async (hostname) => {
    const isSilent = silent.has(hostname);
    const turn = await new Promise<{ readonly isSilent: boolean }>((begun) => {
      const one = { isSilent, begin: () => begun(one) };
      waiting.push(one);
      beginNext();
    });
    const beganMs = performance.now();
    try {
      return await lookUp(hostname);
    } finally {
      if (performance.now() - beganMs >= silentAfterMs) silent.add(hostname);
      else silent.delete(hostname);
      running.splice(running.indexOf(turn), 1);
      beginNext();
    }
  };
}

/**
 * The addresses of one family, IPv4 where there are any: a replica that has both is one replica. Sorted, so that equal answers
 * are equal.
 */
export function ofOneFamily(addresses: readonly string[]): string[] {
  const [four, six] = [4, 6].map((family) => new Set(addresses.filter((address) => isIP(address) === family)));
  return [...((four?.size ?? 0) > 0 ? (four ?? []) : (six ?? []))].sort();
}

/** The name in a URL; undefined where it has an address. */
export function nameIn(url: string): string | undefined {
  const { hostname } = new URL(url);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : undefined;
}
