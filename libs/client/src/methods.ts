import type {
  HttpMethod,
  IsOperationRequestBodyOptional,
  MediaType,
  OperationRequestBodyContent,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components, paths } from './generated/public-api.js';
import type { RequestSettings } from './options.js';
import type { KeyedPath } from './retry-rules.js';

/** A shape of the interface by its name, e.g. `Schema<'UsageEvent'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** How the body of a success is read. */
interface BodyAs<Json> {
  readonly json: Json;
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: Response['body'];
}
export type ParseAs = keyof BodyAs<unknown>;

/** A success. */
export interface Answered<Data> {
  readonly data: Data;
  readonly response: Response;
  /** With it the request can be repeated; absent where the request had none. */
  readonly idempotencyKey?: string;
}

type Operation = Record<string | number, unknown>;
type Params<Op> = Op extends { readonly parameters: infer P }
  ? RequiredKeysOf<P> extends never
    ? { readonly params?: P }
    : { readonly params: P }
  : unknown;
type Body<Op> = [OperationRequestBodyContent<Op>] extends [never]
  ? unknown
  : IsOperationRequestBodyOptional<Op> extends true
    ? { readonly body?: OperationRequestBodyContent<Op> }
    : { readonly body: OperationRequestBodyContent<Op> };
type Keyed<Path> = Path extends KeyedPath ? { readonly idempotencyKey?: string } : unknown;

type Required<Op> = Params<Op> & Body<Op>;
type Init<Path extends keyof paths, Op, As> = Required<Op> &
  RequestSettings &
  Keyed<Path> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly parseAs?: As;
  };

/** Sends a request; rejects with `RefusedError` or `NoAnswerError`, or with the reason of its signal. */
export type Send<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method> & keyof paths,
  As extends ParseAs = 'json',
>(
  path: Path,
  ...init: RequiredKeysOf<Required<paths[Path][Method]>> extends never
    ? [init?: Init<Path, paths[Path][Method], As>]
    : [init: Init<Path, paths[Path][Method], As>]
) => Promise<Answered<BodyAs<SuccessResponse<ResponseObjectMap<paths[Path][Method] & Operation>, MediaType>>[As]>>;
