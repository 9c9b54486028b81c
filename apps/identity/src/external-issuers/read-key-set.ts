import type { JSONWebKeySet } from 'jose';

/** Bytes, once decompressed; a set of hundred certificates is far below. */
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;
/** Milliseconds to the last byte: the gateway waits for the answer to a request with such a token. */
const TIMEOUT_MS = 2_000;

/**
 * Reads the key set at the configured address. No redirect is followed, so that nobody but the operator chooses what is asked.
 * Rejects when it does not answer 200 with a set of keys in time.
 */
export async function readKeySet(url: string): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/jwk-set+json, application/json' },
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the address of the keys answered ${response.status}`);
  }
  const set: unknown = JSON.parse(await boundedText(response));
  if (!isKeySet(set)) throw new Error(`what the address of the keys answers is no JWK set of 1 to ${MAX_KEYS} keys`);
  return set;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // By itself the stream does not say what its chunks are.
  const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
  if (body === undefined) return '';
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > MAX_BYTES) throw new Error(`the address of the keys answers more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const isKeySet = (value: unknown): value is JSONWebKeySet => {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false;
  const { keys } = value;
  return (
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.length <= MAX_KEYS &&
    keys.every((key: unknown) => typeof key === 'object' && key !== null)
  );
};
