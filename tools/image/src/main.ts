/**
 * `npm run image:assemble -- --out <folder> [--target <name>]…`: the folder `/app` of each image, below `<folder>`, as
 * `docker/Dockerfile` takes it. Without a target, all of them. Prints what each holds.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assembleAnew } from './assemble.js';
import { contentOf } from './content.js';
import { imageTarget, imageTargets } from './targets.js';

const { values } = parseArgs({ options: { out: { type: 'string' }, target: { type: 'string', multiple: true } } });
if (values.out === undefined) {
  console.error(
    `usage: npm run image:assemble -- --out <folder> [--target <name>]…\n` +
      `targets: ${imageTargets.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
const targets = values.target?.map(imageTarget) ?? imageTargets;
for (const { name } of targets) {
  const folder = join(resolve(values.out), name);
  await assembleAnew(name, folder);
  const { files, bytes, packages } = await contentOf(folder);
  console.log(`${name}: ${(bytes / 1e6).toFixed(1)} MB, ${files} files, ${packages} packages of others`);
}
