import { text as textOf } from 'node:stream/consumers';
import { CommandError, exitCodes } from '../terminal.js';
import { isObject, objectIn, type Data, type Gateway, type Opened } from './gateway.js';

/** The gateway that refused: it knows where the key came from. */
type Refuser = Pick<Gateway, 'keySource'>;

export interface RefusalDetails {
  /** The scope that the request needs, where it needs a certain one. */
  readonly neededScope?: string;
  /** Seconds; 0 where the gateway named none. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The error for a request that a gateway did not accept, with the members that are at fault. */
export function refusal(
  { keySource }: Refuser,
  status: number,
  answer: Data,
  { neededScope, retryAfterSeconds = 0 }: RefusalDetails = {},
): CommandError {
  const said = answer['error_message'] ?? answer['message'];
  const message = typeof said === 'string' ? said : 'the request was refused';
  const details = [answer['detail'], answer['details']].filter(Array.isArray).flat().filter(isObject);
  const hints = details.map(({ loc, msg }) => `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${String(msg)}`);
  if (status === 401) hints.push('The key is unknown, expired or revoked.');
  if (status === 403 && neededScope !== undefined) hints.push(`The key needs the scope "${neededScope}".`);
  if (status === 401 || status === 403) hints.push(`The key is that of ${keySource}.`);
  if (retryAfterSeconds > 0) hints.push(`Try again in ${retryAfterSeconds} s.`);
  const code = status >= 500 ? exitCodes.unreachable : exitCodes.failed;
  return new CommandError(code, `${message} (${status})`, hints, answer);
}

/** The same of an answer that is read as it comes. */
export async function refusalOf(
  refuser: Refuser,
  { response, chunks }: Opened,
  neededScope?: string,
): Promise<CommandError> {
  const answer = objectIn(await textOf(chunks)) ?? {};
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0);
  const scope = neededScope === undefined ? {} : { neededScope };
  return refusal(refuser, response.status, answer, { ...scope, retryAfterSeconds });
}
