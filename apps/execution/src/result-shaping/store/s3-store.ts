import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { AccountId } from '@capability-router/kernel';
import {
  nameOf,
  type ByteRange,
  type OpenResult,
  type ResultKey,
  type ResultStore,
  type StoredPage,
} from './result-store.js';

export interface S3StoreOptions {
  readonly bucket: string;
  /** Begins every key, e.g. `results/`; empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** The endpoint of a store that is not AWS; undefined = AWS's own for the region. */
  readonly endpoint: string | undefined;
  /** `https://host/bucket/key` and not `https://bucket.host/key`. */
  readonly pathStyle: boolean;
  /** Milliseconds that one operation may take, its attempts together; a download's begin is one, its bytes are not. */
  readonly timeoutMs: number;
  /** Milliseconds for a connection. Default 2,000. */
  readonly connectTimeoutMs?: number;
  /** Objects of one page. Default 1,000, the most that S3 gives. */
  readonly pageObjects?: number;
}

/** Attempts of one operation. */
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds for which no byte of a download may move; a slow reader moves some. */
const IDLE_TIMEOUT_MS = 60_000;
/** Open connections; downloads hold one each. */
const MAX_CONNECTIONS = 100;
const PAGE_OBJECTS = 1_000;

/**
 * Results as objects of a bucket, under `{prefix}{account_id}/{execution_id}.json`. Only the operations that every
 * S3-compatible store has. Credentials come from where the AWS SDK looks for them.
 */
export class S3Store implements ResultStore {
  private readonly client: S3Client;

  constructor(private readonly options: S3StoreOptions) {
    this.client = new S3Client({
      region: options.region,
      ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
      forcePathStyle: options.pathStyle,
      maxAttempts: MAX_ATTEMPTS,
      // Checksums that AWS added in 2025 are unknown to stores that are not AWS; TLS and the signature cover the bytes.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        socketTimeout: IDLE_TIMEOUT_MS,
        httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
        httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      },
    });
  }

  async save(key: ResultKey, content: Buffer): Promise<void> {
    const command = new PutObjectCommand({
      ...this.at(nameOf(key)),
      Body: content,
      ContentLength: content.length,
      ContentType: 'application/json',
    });
    await this.client.send(command, this.inTime());
  }

  async open(key: ResultKey): Promise<OpenResult | undefined> {
    const at = this.at(nameOf(key));
    try {
      const { ContentLength: sizeBytes } = await this.client.send(new HeadObjectCommand(at), this.inTime());
      if (sizeBytes === undefined) throw new Error('the store does not say how long the object is');
      return {
        sizeBytes,
        read: (range) => this.read(at, range),
        close: () => Promise.resolve(),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.at(name)), this.inTime());
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async list(of: { readonly accountId?: AccountId; readonly after?: string | undefined }): Promise<StoredPage> {
    const { bucket, prefix } = this.options;
    const command = new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: of.accountId === undefined ? prefix : `${prefix}${of.accountId}/`,
      ...(of.after === undefined ? {} : { StartAfter: `${prefix}${of.after}` }),
      MaxKeys: this.options.pageObjects ?? PAGE_OBJECTS,
    });
    const page = await this.client.send(command, this.inTime());
    const objects = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified }) => ({
      name: Key.slice(prefix.length),
      sizeBytes: Size,
      writtenMs: LastModified?.getTime() ?? 0,
    }));
    const last = objects.at(-1)?.name;
    return page.IsTruncated === true && last !== undefined ? { objects, next: last } : { objects };
  }

  close(): void {
    this.client.destroy();
  }

  private async read(at: { Bucket: string; Key: string }, range: ByteRange | undefined): Promise<Readable> {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    // The time limit is that of the head: it must not break a download off that takes longer than that.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.options.timeoutMs);
    try {
      const command = new GetObjectCommand({ ...at, ...part });
      const { Body, ContentRange } = await this.client.send(command, { abortSignal: limit.signal });
      if (!(Body instanceof Readable)) throw new Error('the store gave no body');
      // The whole that a store without ranges gives must not pass for the part.
      if (range !== undefined && ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`) !== true) {
        Body.destroy();
        throw new Error(`the store answered bytes ${range.start}-${range.end} with ${ContentRange ?? 'the whole'}`);
      }
      return Body;
    } finally {
      clearTimeout(timer);
    }
  }

  private at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.options.bucket, Key: `${this.options.prefix}${name}` };
  }

  private inTime(): { abortSignal: AbortSignal } {
    return { abortSignal: AbortSignal.timeout(this.options.timeoutMs) };
  }
}

const NOT_FOUND = 404;

/** A bucket that is missing is a fault of the operator's, not a result that is gone. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && error.$metadata.httpStatusCode === NOT_FOUND && error.name !== 'NoSuchBucket'
  );
}
