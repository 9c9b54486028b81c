import { MAX_STREAMED_ANSWER_BYTES } from '@capability-router/contracts';
import { ConfigError, flag, integer, oneOf, text, url, type EnvValues } from '@capability-router/service-kit/config';
import type { S3StoreOptions } from './s3-store.js';

const MEBIBYTE = 1_048_576;
const MINUTE_MS = 60_000;

export const resultStoreEnvSpec = {
  RESULT_STORE: oneOf(['directory', 's3'], {
    desc: 'Where full results behind signed links are: `directory` (RESULT_STORE_DIR) or `s3` (RESULT_STORE_S3_BUCKET).',
    default: 'directory',
  }),
  RESULT_STORE_DIR: text({
    desc: 'Directory of full results; all replicas of execution share it.',
    default: './data/results',
  }),
  RESULT_STORE_S3_BUCKET: text({
    desc: 'Bucket of full results. Execution may read, write, delete and list what is under RESULT_STORE_S3_PREFIX there.',
    default: undefined,
    example: 'capability-router-results',
  }),
  RESULT_STORE_S3_PREFIX: text({
    desc: 'Begins every key in the bucket. Everything under it belongs to the result store and is swept.',
    default: 'results/',
  }),
  RESULT_STORE_S3_REGION: text({ desc: 'Region of the bucket.', default: 'us-east-1' }),
  RESULT_STORE_S3_ENDPOINT: url(['http', 'https'], {
    desc: 'Address of an S3-compatible store that is not AWS.',
    default: undefined,
    example: 'https://minio.internal:9000',
  }),
  RESULT_STORE_S3_PATH_STYLE: flag({
    desc: 'Names the bucket in the path and not in the host, as most stores that are not AWS want it.',
    default: false,
  }),
  AWS_ACCESS_KEY_ID: text({
    desc: 'Access key for the bucket. The AWS SDK reads it; without one it looks where it always does, e.g. at a web identity.',
    default: undefined,
  }),
  AWS_SECRET_ACCESS_KEY: text({ desc: 'Secret of AWS_ACCESS_KEY_ID.', default: undefined }),
  RESULT_STORE_TIMEOUT_MS: integer({
    desc: 'Milliseconds that one operation of the result store may take, its attempts together. A result that cannot be kept in that time is answered without a link, and charged as any other.',
    min: 100,
    max: MINUTE_MS,
    default: 5_000,
  }),
  RESULT_STORE_MAX_BYTES: integer({
    desc: 'Bytes of all stored results together; above it, whoever has the most there loses their oldest first.',
    min: MEBIBYTE,
    max: Number.MAX_SAFE_INTEGER,
    default: 1_024 * MEBIBYTE,
  }),
  RESULT_STORE_MAX_ACCOUNT_BYTES: integer({
    desc: "Bytes of one account's stored results; above it, it loses its own oldest. A larger result than this is answered without a link.",
    min: MEBIBYTE,
    max: Number.MAX_SAFE_INTEGER,
    default: 128 * MEBIBYTE,
  }),
  RESULT_STORE_MAX_RESULT_BYTES: integer({
    desc: 'Bytes of one stored result; a larger one is answered without a link.',
    min: 65_536,
    max: MAX_STREAMED_ANSWER_BYTES,
    default: 64 * MEBIBYTE,
  }),
  RESULT_LINK_LIFETIME_MS: integer({
    desc: 'Milliseconds for which a link to a full result works, and the result is kept.',
    min: MINUTE_MS,
    max: 7 * 24 * 60 * MINUTE_MS,
    default: 120 * MINUTE_MS,
  }),
};

export type ResultPlace =
  | { readonly kind: 'directory'; readonly directory: string }
  | ({ readonly kind: 's3' } & S3StoreOptions);

export interface ResultLimits {
  /** Bytes of all results together. */
  readonly maxTotalBytes: number;
  /** Bytes of one account's. */
  readonly maxAccountBytes: number;
  /** Bytes of one. */
  readonly maxResultBytes: number;
  /** Milliseconds. */
  readonly lifetimeMs: number;
  /** Milliseconds that anyone waits for the store. */
  readonly timeoutMs: number;
}

export interface ResultStoreConfig extends ResultLimits {
  readonly place: ResultPlace;
}

/** Throws `ConfigError` where the chosen place is not described. */
export function resultStoreConfigOf(values: EnvValues<typeof resultStoreEnvSpec>): ResultStoreConfig {
  return {
    place: placeOf(values),
    maxTotalBytes: values.RESULT_STORE_MAX_BYTES,
    maxAccountBytes: Math.min(values.RESULT_STORE_MAX_ACCOUNT_BYTES, values.RESULT_STORE_MAX_BYTES),
    maxResultBytes: values.RESULT_STORE_MAX_RESULT_BYTES,
    lifetimeMs: values.RESULT_LINK_LIFETIME_MS,
    timeoutMs: values.RESULT_STORE_TIMEOUT_MS,
  };
}

function placeOf(values: EnvValues<typeof resultStoreEnvSpec>): ResultPlace {
  if (values.RESULT_STORE === 'directory') return { kind: 'directory', directory: values.RESULT_STORE_DIR };
  const bucket = values.RESULT_STORE_S3_BUCKET;
  if (bucket === undefined) throw new ConfigError({ RESULT_STORE_S3_BUCKET: 'is missing: RESULT_STORE is s3' });
  if ((values.AWS_ACCESS_KEY_ID === undefined) !== (values.AWS_SECRET_ACCESS_KEY === undefined)) {
    throw new ConfigError({ AWS_ACCESS_KEY_ID: 'set this and AWS_SECRET_ACCESS_KEY, or neither' });
  }
  const prefix = values.RESULT_STORE_S3_PREFIX;
  if (prefix !== '' && !/^[\w!.*'()-][\w!.*'()/-]*\/$/.test(prefix)) {
    throw new ConfigError({ RESULT_STORE_S3_PREFIX: "must end with / and hold letters, digits and -_.!*'()/ only" });
  }
  return {
    kind: 's3',
    bucket,
    prefix,
    region: values.RESULT_STORE_S3_REGION,
    endpoint: values.RESULT_STORE_S3_ENDPOINT,
    pathStyle: values.RESULT_STORE_S3_PATH_STYLE,
    timeoutMs: values.RESULT_STORE_TIMEOUT_MS,
  };
}
