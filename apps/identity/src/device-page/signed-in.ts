import { errors, jwtVerify, SignJWT } from 'jose';
import { secretHash } from '../device-codes/codes.js';

const ALGORITHM = 'HS256';
const TYPE = 'device-consent+jwt';

/** The decision that a person who has signed in may make about one waiting program. */
export interface SignedIn {
  readonly deviceId: string;
  readonly accountId: string;
  /** The key that was shown; undefined where a mailed code was. */
  readonly apiKeyId: string | undefined;
  /** Scopes that can be granted: asked for, and no more than the key has. */
  readonly scopes: readonly string[];
}

/**
 * The statement that the page carries from the sign-in to the decision, in place of a cookie: nothing is sent along by a
 * browser of its own accord, so no other site can decide in anybody's name.
 */
export function stateSignedIn(
  secret: Buffer,
  { deviceId, accountId, apiKeyId, scopes }: SignedIn,
  expiresAt: Date,
): Promise<string> {
  return new SignJWT({ scope: scopes.join(' '), ...(apiKeyId === undefined ? {} : { key: apiKeyId }) })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setJti(deviceId)
    .setSubject(accountId)
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1_000))
    .sign(secretHash(secret, 'signed in'));
}

/** Undefined for a text that none of the secrets signed, or whose program does not wait any more. */
export async function readSignedIn(
  secrets: readonly Buffer[],
  text: string,
  nowMs: number,
): Promise<SignedIn | undefined> {
  for (const secret of secrets) {
    const read = await readUnder(secret, text, nowMs);
    if (read !== undefined) return read;
  }
  return undefined;
}

async function readUnder(secret: Buffer, text: string, nowMs: number): Promise<SignedIn | undefined> {
  try {
    const { payload } = await jwtVerify(text, secretHash(secret, 'signed in'), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      currentDate: new Date(nowMs),
      requiredClaims: ['jti', 'sub', 'exp', 'scope'],
    });
    const { jti: deviceId = '', sub: accountId = '', scope, key } = payload;
    const apiKeyId = typeof key === 'string' ? key : undefined;
    return { deviceId, accountId, apiKeyId, scopes: String(scope).split(' ') };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
