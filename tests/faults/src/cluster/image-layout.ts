import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { output } from './programs.js';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** How a container of the image begins: https://github.com/opencontainers/image-spec/blob/main/config.md */
export interface ImageConfig {
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Env?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
}

/** Images in the layout of OCI, as an engine loads them. */
export class ImageLayout {
  private readonly images: object[] = [];
  private layers = 0;

  constructor(readonly folder: string) {
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  }

  /** A layer with the files of a folder, at this place of the root, all of them root's. */
  async layer(from: string, place = ''): Promise<Descriptor> {
    this.layers += 1;
    const file = join(this.folder, `layer-${this.layers}`);
    const moved = place === '' ? [] : [`--transform=s,^[.],${place},S`];
    await output('tar', ['-C', from, '--owner=0', '--group=0', '--numeric-owner', ...moved, '-cf', file, '.']);
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    const digest = hash.digest('hex');
    const { size } = await stat(file);
    renameSync(file, join(this.folder, 'blobs/sha256', digest));
    return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: `sha256:${digest}`, size };
  }

  /** `names`: with their tags. */
  image(names: readonly string[], layers: readonly Descriptor[], config: ImageConfig): void {
    const described = this.json('application/vnd.oci.image.config.v1+json', {
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    });
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = this.json(mediaType, { schemaVersion: 2, mediaType, config: described, layers });
    for (const name of names) this.images.push({ ...manifest, annotations: { 'io.containerd.image.name': name } });
    writeFileSync(join(this.folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: this.images }));
  }

  private json(mediaType: string, content: object): Descriptor {
    const text = JSON.stringify(content);
    const digest = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(this.folder, 'blobs/sha256', digest), text);
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  }
}
