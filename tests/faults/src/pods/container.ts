import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  at,
  environmentOf,
  listAt,
  ofKind,
  recordAt,
  textAt,
  workspaceRoot,
  type Manifest,
} from '@capability-router/tools-stack';

/** A file or folder at a path of a container beside its image. */
export type Mount = { readonly path: string } & (
  | { readonly kind: 'empty'; readonly size: string }
  | { readonly kind: 'files'; readonly files: Readonly<Record<string, string>> }
  | { readonly kind: 'claim'; readonly claim: string }
);

/** The process of the first container of a pod, as its manifests say. */
export interface Container {
  /** Target of docker/Dockerfile. */
  readonly image: string;
  readonly command: readonly string[];
  /** From the image, ConfigMaps, Secrets and the manifest. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly user: number;
  readonly group: number;
  readonly volumeGroup: number;
  readonly readOnlyRoot: boolean;
  /** May it gain privileges, and which capabilities does it lose? */
  readonly gainsPrivileges: boolean;
  readonly dropsCapabilities: boolean;
}

const dockerfile = readFileSync(join(workspaceRoot, 'docker/Dockerfile'), 'utf8');
/** As the Dockerfile says for every target. */
export const entrypoint = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]') as readonly string[];
export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  (/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
);
/** As the base image has it. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** As the kubelet puts it together. Throws where a ConfigMap or a Secret is missing that is not optional. */
export function containerOf(pod: unknown, manifests: readonly Manifest[]): Container {
  const container = at(pod, 'spec.containers.0');
  const own = Object.entries(environmentOf(pod, manifests)).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value] as const];
    const found = secretNamed(textAt(value, 'name'), manifests)?.[textAt(value, 'key')];
    if (found === undefined && at(value, 'optional') !== true)
      throw new Error(`${name}: ${JSON.stringify(value)} is missing`);
    return found === undefined ? [] : [[name, found] as const];
  });
  return {
    image: /-router-([a-z-]+)[:@]/.exec(textAt(container, 'image'))?.[1] ?? '',
    command: [...entrypoint, ...listAt(container, 'args').map(String)],
    environment: { PATH, HOME: '/', ...imageEnvironment, ...Object.fromEntries(own) },
    mounts: listAt(container, 'volumeMounts').map((mount) => mountOf(mount, pod, manifests)),
    user: Number(at(pod, 'spec.securityContext.runAsUser')),
    group: Number(at(pod, 'spec.securityContext.runAsGroup')),
    volumeGroup: Number(at(pod, 'spec.securityContext.fsGroup') ?? at(pod, 'spec.securityContext.runAsGroup')),
    readOnlyRoot: at(container, 'securityContext.readOnlyRootFilesystem') === true,
    gainsPrivileges: at(container, 'securityContext.allowPrivilegeEscalation') !== false,
    dropsCapabilities: listAt(container, 'securityContext.capabilities.drop').includes('ALL'),
  };
}

function mountOf(mount: unknown, pod: unknown, manifests: readonly Manifest[]): Mount {
  const [name, path] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
  const volume = listAt(pod, 'spec.volumes').find((one) => textAt(one, 'name') === name);
  const [empty, secret] = [at(volume, 'emptyDir'), at(volume, 'secret')];
  const claim = textAt(volume, 'persistentVolumeClaim.claimName');
  if (empty !== undefined) return { path, kind: 'empty', size: textAt(empty, 'sizeLimit').replace('Mi', 'm') };
  if (claim !== '') return { path, kind: 'claim', claim };
  const files = secretNamed(textAt(secret, 'secretName'), manifests);
  if (files === undefined && at(secret, 'optional') !== true)
    throw new Error(`${name}: ${JSON.stringify(volume)} is nothing that can be mounted`);
  return { path, kind: 'files', files: files ?? {} };
}

function secretNamed(name: string, manifests: readonly Manifest[]): Readonly<Record<string, string>> | undefined {
  const secret = ofKind(manifests, 'Secret').find((one) => textAt(one, 'metadata.name') === name);
  return secret && (recordAt(secret, 'stringData') as Readonly<Record<string, string>>);
}
