import { chmodSync, chownSync, copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entrypoint, imageEnvironment } from '../pods/container.js';
import type { Images } from '../pods/cluster.js';
import { targets } from '../pods/pod-stand.js';
import { ImageLayout } from './image-layout.js';
import type { NodeSpace } from './node-space.js';
import { output, programOf } from './programs.js';
import { ctr, PAUSE_IMAGE } from './worker.js';

/** The base image's, where Debian's has nothing else to say. */
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LOAD_TIMEOUT_MS = 300_000;
/** Where the images of the guide would be pushed to. */
export const REPOSITORY = 'registry.your.domain/capability-router';
export const DNS_IMAGE = 'coredns:1';

/**
 * Gives the node the images of the targets, under each of the tags: `/app` is what `tools/image` assembles. The base image of the Dockerfile cannot be
 * had without a registry. In its place are this Node and the libraries that it needs, and no shell.
 */
export async function loadImages(space: NodeSpace, images: Images, tags: readonly string[]): Promise<void> {
  const folder = join(space.folder, 'images');
  const layout = new ImageLayout(join(folder, 'layout'));
  const base = await layout.layer(await baseOf(join(folder, 'base'), [process.execPath, '/usr/bin/sleep']));
  layout.image([nameOf(PAUSE_IMAGE)], [base], { Entrypoint: ['/usr/bin/sleep', 'infinity'] });
  const dns = await layout.layer(await baseOf(join(folder, 'dns'), [programOf('coredns')]));
  layout.image([nameOf(DNS_IMAGE)], [dns], { Entrypoint: ['/usr/local/bin/coredns'] });
  for (const target of targets) {
    layout.image(
      tags.map((tag) => `${REPOSITORY}-${target}:${tag}`),
      [base, await layout.layer(images(target), 'app')],
      {
        Entrypoint: entrypoint,
        Cmd: [target],
        Env: [PATH, ...Object.entries(imageEnvironment).map(([name, value]) => `${name}=${value}`)],
        User: '10001:10001',
        WorkingDir: '/app',
      },
    );
  }
  const archive = join(folder, 'images.tar');
  await output('tar', ['-C', layout.folder, '-cf', archive, '.']);
  await space.inside(programOf('ctr'), [...ctr, 'images', 'import', archive], LOAD_TIMEOUT_MS);
  rmSync(folder, { recursive: true });
}

/** As Kubernetes completes it. */
const nameOf = (image: string): string => `docker.io/library/${image}`;

/** A root file system with these programs alone; those of nobody's package are below /usr/local. */
async function baseOf(folder: string, programs: readonly string[]): Promise<string> {
  for (const name of ['data', 'etc', 'tmp', 'usr/bin', 'usr/lib', 'usr/lib64', 'usr/local/bin'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name));
  chmodSync(join(folder, 'tmp'), 0o1777);
  chownSync(join(folder, 'data'), 10_001, 10_001);
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/usr/sbin/nologin\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\n');
  writeFileSync(join(folder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  for (const program of programs) {
    const place = program.startsWith('/usr/bin/') ? program : `/usr/local/bin/${program.split('/').at(-1) ?? ''}`;
    copyFileSync(program, join(folder, place));
    for (const library of await librariesOf(program)) {
      const to = join(folder, 'usr', library.replace(/^\/usr/, ''));
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(library, to);
    }
  }
  return folder;
}

async function librariesOf(program: string): Promise<string[]> {
  const listed = await output('ldd', [program]).catch(() => ({ stdout: '' }));
  return [...listed.stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
}
