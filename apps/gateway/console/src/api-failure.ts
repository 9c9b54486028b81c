import { objectOf, objectsOf, parseJson, textOf, type JsonObject } from './json.js';

/** A part of a request that was refused. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

interface Told {
  /** 0: there was no answer. */
  readonly status: number;
  readonly code?: string;
  readonly nextStep?: string;
  /** The scope that the key lacks. */
  readonly scope?: string;
  readonly faults?: readonly Fault[];
  readonly retryAfterSeconds?: number;
  readonly requestId?: string;
}

/** An error of the interface, as its answer tells it. */
export class ApiFailure extends Error {
  constructor(
    message: string,
    readonly told: Told,
  ) {
    super(message);
  }
}

export const noAnswer = (): ApiFailure =>
  new ApiFailure('The router gave no answer.', {
    status: 0,
    nextStep:
      'Look whether you are connected, and try again. What was to be changed may have been changed all the same.',
  });

export const waitFirst = (retryAfterSeconds: number): ApiFailure =>
  new ApiFailure('The router asked to wait, and nothing was sent.', { status: 429, retryAfterSeconds });

export async function failureOf(response: Response): Promise<ApiFailure> {
  const body = await readBody(response);
  const message = ['message', 'error_message', 'error'].map((name) => textOf(body[name])).find((text) => text !== '');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const scope = textOf(body['scope']);
  return new ApiFailure(message ?? `The router answered ${response.status}.`, {
    status: response.status,
    code: textOf(body['code']),
    nextStep: textOf(body['next_step']),
    ...(textOf(body['code']) === 'insufficient_scope' && scope !== '' ? { scope } : {}),
    faults: [...objectsOf(body['detail']), ...objectsOf(body['details'])].map(toFault),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: Math.max(0, Math.ceil(retryAfter)) } : {}),
    requestId: response.headers.get('x-request-id') ?? '',
  });
}

function toFault(fault: JsonObject): Fault {
  const allowed = fault['allowed'] === undefined ? '' : ` Allowed: ${JSON.stringify(fault['allowed'])}`;
  return { field: textOf(fault['field']), message: `${textOf(fault['msg'])}${allowed}` };
}

/** Nothing for something else than JSON, with which a proxy between here and the router may answer. */
async function readBody(response: Response): Promise<JsonObject> {
  try {
    return objectOf(parseJson(await response.text()));
  } catch {
    return {};
  }
}
