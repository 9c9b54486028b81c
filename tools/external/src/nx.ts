/** `npm run nx -- <arguments>`: Nx on this repository, installed by its first use. Exits as Nx does. */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installExternal } from './install-external.js';

const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url));
const folder = await installExternal('nx');
// Apart from the top folder's node_modules, this is the only place where Nx looks for itself.
const installation = join(workspaceRoot, '.nx/installation');
mkdirSync(join(workspaceRoot, '.nx'), { recursive: true });
rmSync(installation, { recursive: true, force: true });
symlinkSync(folder, installation, 'junction');

const child = spawn(process.execPath, [join(folder, 'node_modules/nx/dist/bin/nx.js'), ...process.argv.slice(2)], {
  cwd: workspaceRoot,
  stdio: 'inherit',
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
