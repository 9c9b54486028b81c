/** `npm run pack:cli`: the command line as an npm package, which runs without the repository. */
import { join } from 'node:path';
import { pack } from './pack.js';
import { workspaceRoot } from './workspace.js';

const { file, size, unpackedSize } = await pack(join(workspaceRoot, 'dist'));
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(`${file}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
console.log(`Try it anywhere: npx --yes --package ${file} caprouter --help`);
