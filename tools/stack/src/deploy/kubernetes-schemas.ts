import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OperatorError } from '../system/programs.js';
import { nameOf, textAt, type Manifest } from './manifests.js';

/** Where the PyPI package kubernetes-validate 1.37.0 is unpacked, of which only the schemas are used. */
const folderVariable = 'KUBERNETES_SCHEMAS_DIR';

/**
 * Complaints of the schemas of one version of Kubernetes (`1.37`). Strict: a member that the version does not know is one.
 * Kinds that Kubernetes itself does not have (Gateway API, Prometheus operator, KEDA) are not looked at.
 */
export function validateManifests(manifests: readonly Manifest[], version: string): string[] {
  return manifests.filter(isOfKubernetes).flatMap((manifest) => {
    const file = `${textAt(manifest, 'kind').toLowerCase()}-${fileEnding(manifest)}.json`;
    const validate = validatorOf(version, file);
    if (validate(manifest)) return [];
    const complaints = validate.errors ?? [];
    return complaints.map(
      ({ instancePath, message, params }) => `${nameOf(manifest)}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  });
}

const schemas = new Map<string, Ajv2020>();

/** Compiling takes longer than all that follows, so each is compiled once. */
function validatorOf(version: string, file: string): ValidateFunction {
  let ajv = schemas.get(version);
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });
    schemas.set(version, ajv.addSchema(readSchema(version, '_definitions.json')));
  }
  const known = ajv.getSchema(file);
  if (known !== undefined) return known;
  const schema = readSchema(version, file);
  return ajv.addSchema(schema, file).getSchema(file) ?? ajv.compile(schema);
}

const builtIn = /^(v1|(apps|batch|policy|autoscaling|networking\.k8s\.io)\/v\d+)$/;

function isOfKubernetes(manifest: Manifest): boolean {
  return builtIn.test(textAt(manifest, 'apiVersion'));
}

/** `networking.k8s.io/v1` is `networking-v1` in the name of a file. */
function fileEnding(manifest: Manifest): string {
  return textAt(manifest, 'apiVersion').replace('.k8s.io', '').replace('/', '-');
}

function readSchema(version: string, file: string): Record<string, unknown> {
  const folder = process.env[folderVariable];
  if (folder === undefined) {
    throw new OperatorError(
      `${folderVariable} is not set: the folder kubernetes-json-schema of the PyPI package kubernetes-validate 1.37.0. ` +
        'Run: bash -c ". .ci/tools.sh; install_deploy_tools; echo \\$DEPLOY_TOOLS/kubernetes-json-schema"',
    );
  }
  return JSON.parse(readFileSync(join(folder, `v${version}.0-local-strict`, file), 'utf8')) as Record<string, unknown>;
}
