/**
 * `npm run record:answers`: writes down what a fresh standalone answers to the requests of the wire spec, in place of what
 * was recorded. The diff of the recordings says what the interface does otherwise; it is reviewed like code.
 */
import { join } from 'node:path';
import { runAcceptance } from './standalone-tests.js';
import { workspaceRoot } from './workspace.js';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const spec = join(workspaceRoot, 'tests/acceptance/src/wire/wire.acc.spec.ts');
const { failed, skipped } = await runAcceptance([spec], { ACCEPTANCE_RECORD_ANSWERS: 'true' });
process.exit(failed + skipped === 0 ? 0 : 1);
