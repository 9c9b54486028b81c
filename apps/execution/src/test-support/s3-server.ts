import { buildApp } from 'fauxqs';

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  close(): Promise<void>;
}

/** The credentials that the AWS SDK finds; the server takes any. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' } as const;

/**
 * An S3-compatible server on the loopback with one empty bucket. TEST_S3_ENDPOINT and TEST_S3_BUCKET name another one,
 * whose credentials are in the environment; its bucket must be empty.
 */
export async function startS3Server(): Promise<S3Server> {
  const bucket = process.env['TEST_S3_BUCKET'] ?? 'results-of-a-test';
  const given = process.env['TEST_S3_ENDPOINT'];
  if (given !== undefined) return { endpoint: given, bucket, close: () => Promise.resolve() };
  for (const [name, value] of Object.entries(s3Credentials)) process.env[name] ??= value;
  // Not by its own start function, which listens on all addresses.
  const server = buildApp({ logger: false });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  const created = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!created.ok) throw new Error(`the bucket was not made: ${created.status}`);
  return { endpoint, bucket, close: () => server.close() };
}
