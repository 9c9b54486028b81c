import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { namesEtag } from '@capability-router/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface AssetSource {
  readonly type: string;
  readonly read: () => Promise<Buffer>;
}

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Two megabytes of script are a fifth of that. */
  readonly zipped: Buffer;
}

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';

/** Files of pages for people, by name: those that are named and no others. */
export class Assets {
  readonly names: readonly string[];
  private readonly kept = new Map<string, Promise<Asset>>();

  constructor(private readonly sources: Readonly<Record<string, AssetSource>>) {
    this.names = Object.keys(sources);
  }

  /** Throws for a name that is not one of `names`. */
  async send(name: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type, etag, plain, zipped } = await this.find(name);
    // Asked for again with every page, so that no page of one version runs the script of another.
    void reply.headers({
      etag,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    if (namesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
    const takesZipped = /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/i.test(String(headers['accept-encoding'] ?? ''));
    if (!takesZipped) return reply.type(type).send(plain);
    return reply.type(type).header('content-encoding', 'gzip').send(zipped);
  }

  /** Read when somebody asks for it first. */
  private find(name: string): Promise<Asset> {
    const asset = this.kept.get(name) ?? this.load(name);
    this.kept.set(name, asset);
    // A file that could not be read is looked for again.
    asset.catch(() => this.kept.delete(name));
    return asset;
  }

  private async load(name: string): Promise<Asset> {
    const source = this.sources[name];
    if (source === undefined) throw new Error(`there is no asset called ${name}`);
    const plain = await source.read();
    const etag = `"${createHash('sha256').update(plain).digest('base64url')}"`;
    return { type: source.type, etag, plain, zipped: await promisify(gzip)(plain) };
  }
}

/** Headers of a page for people that runs scripts. `policy`: its `Content-Security-Policy`. */
export const pageHeaders = (policy: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
