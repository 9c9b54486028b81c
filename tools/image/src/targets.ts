/** An image: what `docker build --target` is given, and the folder that `npm run image:assemble` makes. */
export interface ImageTarget {
  readonly name: string;
  /** Workspaces that its programs are in; what they depend on comes with them. */
  readonly workspaces: readonly string[];
  /** Has it runner processes? They alone load the packages of the built-in tools' operations. */
  readonly runsTools?: true;
  /** Optional dependencies, which is the embedded database. */
  readonly optional?: true;
  /** Does it make search indexes? The dictionary that they need is read once, here, and kept for every start. */
  readonly dictionary?: true;
}

/** Their names are those of the stages of `docker/Dockerfile`, which a test compares. */
export const imageTargets: readonly ImageTarget[] = [
  { name: 'gateway', workspaces: ['apps/gateway'] },
  { name: 'registry', workspaces: ['apps/registry'], dictionary: true },
  { name: 'execution', workspaces: ['apps/execution'], runsTools: true },
  { name: 'capability-routing', workspaces: ['apps/capability-routing'] },
  { name: 'billing', workspaces: ['apps/billing'] },
  { name: 'identity', workspaces: ['apps/identity'] },
  { name: 'operator', workspaces: ['tools/cli', 'tools/stack'], dictionary: true },
  {
    name: 'standalone',
    workspaces: ['apps/standalone', 'tools/cli'],
    runsTools: true,
    optional: true,
    dictionary: true,
  },
];

/** @throws Error where there is none of that name. */
export function imageTarget(name: string): ImageTarget {
  const target = imageTargets.find((one) => one.name === name);
  if (target === undefined) {
    throw new Error(`There is no target ${name}: ${imageTargets.map((one) => one.name).join(', ')}`);
  }
  return target;
}
