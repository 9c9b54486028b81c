import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from './workspace.js';

/** `package.json` of the package: nothing has to be installed beside it. */
export async function manifest(): Promise<object> {
  const { version, license, engines } = JSON.parse(await readFile(join(workspaceRoot, 'package.json'), 'utf8')) as {
    readonly [member: string]: unknown;
  };
  return {
    name: 'caprouter',
    version,
    description:
      'Finds, calls and pays tools of a capability router, runs one over its admin API, and checks its books.',
    license,
    type: 'module',
    bin: { caprouter: 'bin/caprouter.js' },
    files: ['bin', 'dist', 'NOTICE', 'THIRD-PARTY-LICENCES'],
    engines,
  };
}

export const readme = `# caprouter

The command line of a capability router: finds, inspects, probes and calls tools, says what they cost, and operates a deployment.

    caprouter login --gateway https://tools.example.com/api/v1    # the key is read from standard input
    caprouter init                                                # a first call, up to its charge in the ledger
    caprouter --help

Commands that read databases (doctor, parked, reconcile, ledger verify, projections) go with a deployment of the same version.
\`parked replay registry.feedback\` needs the dictionaries of the search, which only the image and the repository have.
The software of others that is in this package, and its licences: THIRD-PARTY-LICENCES, NOTICE.
`;

/** The file that npm links. */
export const program = "#!/usr/bin/env node\nimport '../dist/main.js';\n";
