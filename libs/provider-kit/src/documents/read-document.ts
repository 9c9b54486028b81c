import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { AppError } from '@capability-router/kernel';
import type { YamlPool } from './yaml-pool.js';

/** Bytes of a YAML body that is read whole: reading it takes ten times as long as JSON. */
const MAX_YAML_BYTES = 2_097_152;

/** A body that is JSON, parsed already, or a stream of YAML. Throws `AppError` for one that is neither. */
export async function readDocument(body: unknown, maxValues: number, yaml: YamlPool): Promise<unknown> {
  if (!(body instanceof Readable)) return body;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // To destroy the body would close the connection on which the refusal is sent.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_YAML_BYTES) {
      throw new AppError(
        'body_too_large',
        `YAML should have at most ${MAX_YAML_BYTES} bytes. Send JSON, or import rows.`,
      );
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks);
  const parsed = isUtf8(text)
    ? await yaml.parse({ text: text.toString('utf8'), maxValues })
    : { problem: 'The body is not UTF-8' };
  if (!('problem' in parsed)) return parsed.document;
  const { problem } = parsed;
  throw new AppError('validation_error', problem, { details: [{ type: 'syntax', loc: ['body'], msg: problem }] });
}
