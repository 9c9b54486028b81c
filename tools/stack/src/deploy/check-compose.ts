import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contexts, type ContextName } from '@capability-router/contracts';
import { parse } from 'yaml';
import { workspaceRoot } from '../workspace.js';
import { checkVariables, type KnownVariables } from './env-specs.js';
import { at, listAt, recordAt } from './manifests.js';

export function readComposeFile(): unknown {
  return parse(readFileSync(join(workspaceRoot, 'docker/compose.yaml'), 'utf8'), { merge: true });
}

/** Complaints about the services of the compose file: their variables, and that they start after `prepare`. */
export function checkCompose(compose: unknown, known: Readonly<Record<ContextName, KnownVariables>>): string[] {
  return contexts.flatMap((name) => {
    const service = at(compose, `services.${name}`);
    const where = `compose ${name}`;
    if (service === undefined) return [`${where}: is missing`];
    const complaints = checkVariables(where, Object.keys(recordAt(service, 'environment')), known[name]);
    if (!listAt(service, 'cap_drop').includes('ALL')) complaints.push(`${where}: keeps capabilities`);
    if (at(service, 'depends_on.prepare.condition') !== 'service_completed_successfully') {
      complaints.push(`${where}: does not wait for prepare`);
    }
    return complaints;
  });
}
