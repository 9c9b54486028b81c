import { STATUS_CODES } from 'node:http';
import type { GatewayRoute } from '@capability-router/gateway';

const meanings: Readonly<Record<number, string>> = {
  200: 'It succeeded.',
  201: 'It is made.',
  202: 'It is noted, and will be done.',
  206: 'A part of it.',
  304: 'The caller has it already.',
  400: 'The request cannot be read, or a value of its query cannot be.',
  401: 'There is no valid key or token.',
  402: 'The credits do not suffice.',
  403: 'The key or token may not do this, or the account is not active.',
  404: 'There is no such thing, or it is of another account.',
  408: 'The body took too long to arrive.',
  409: 'It contradicts what is there, or is under way.',
  410: 'It is over.',
  413: 'The body is too large.',
  414: 'A part of the path is too long.',
  415: 'The body is of another type.',
  416: 'The part that was asked for is not there.',
  422: 'A member of the request is not as it must be; which one is told.',
  429: 'The limit of the minute is used up; `Retry-After` tells when it is not.',
  431: 'The URL and the headers are too large.',
  500: 'A fault of the service.',
  502: 'A part of the service was lost on the way; of a call, its id tells what became of it.',
  503: 'A part of the service is away, or there is too much to do; `Retry-After` tells when to come again.',
  504: 'A part of the service did not answer in time; of a call, its id tells what became of it.',
};

/** Throws for a status that nothing is said of. */
export function textOfStatus(status: number): string {
  const meaning = meanings[status];
  if (meaning === undefined) throw new Error(`say in statuses.ts what ${status} means`);
  return `${STATUS_CODES[status] ?? ''}: ${meaning}`;
}

/** Statuses that a route can answer beside its success, whatever it does. */
export function statusesOf(route: GatewayRoute, hasQuery: boolean, hasBody: boolean): number[] {
  return [
    ...(route.auth === 'none' ? [] : [401]),
    ...(route.scope === undefined ? [] : [403]),
    ...(hasBody ? statusesOfBody(route) : []),
    ...(hasQuery ? [422] : []),
    // A part of a path may be no text in UTF-8, or too long.
    ...(/(?<!:):(?!:)/.test(route.path) ? [400, 404, 414] : []),
    // A 503 is sent again by clients, and an Inspect must not be sent again blindly.
    ...(route.shape === 'inspect' ? [] : [503]),
    429,
    431,
    500,
    502,
    504,
  ];
}

/** Clients of OAuth are authenticated by the form or by `Authorization`, and every other fault of a form is a 400 of its protocol. */
const statusesOfBody = ({ form }: GatewayRoute): number[] =>
  form === true ? [400, 401, 408] : [400, 408, 413, 415, 422];
