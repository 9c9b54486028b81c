import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { START_SCRIPT } from './page.js';

export interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Two megabytes of script are a fifth of that. */
  readonly zipped: Buffer;
}

const { resolve } = createRequire(import.meta.url);
const packaged = (name: string) => (): Promise<Buffer> => readFile(resolve(`swagger-ui-dist/${name}`));

/** By the name that pages ask for. The viewer's package has more files, which are not served. */
const sources: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<Buffer> }>> = {
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', read: packaged('swagger-ui-bundle.js') },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') },
  'start.js': { type: 'text/javascript; charset=utf-8', read: () => Promise.resolve(Buffer.from(START_SCRIPT)) },
};

export const assetNames: readonly string[] = Object.keys(sources);

const kept = new Map<string, Promise<Asset>>();

/** Read when somebody asks for it first. Throws for a name that is not one of `assetNames`. */
export async function assetOf(name: string): Promise<Asset> {
  const asset = kept.get(name) ?? load(name);
  kept.set(name, asset);
  // A file that could not be read is looked for again.
  asset.catch(() => kept.delete(name));
  return asset;
}

async function load(name: string): Promise<Asset> {
  const source = sources[name];
  if (source === undefined) throw new Error(`there is no asset called ${name}`);
  const plain = await source.read();
  const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { type: source.type, etag, plain, zipped: await promisify(gzip)(plain) };
}
