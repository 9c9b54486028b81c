import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Shares the blocks where the file system can. */
const { COPYFILE_FICLONE } = constants;

/** Only building and testing need these of a workspace. */
const notInImage = [
  /^src$/,
  /^node_modules$/,
  /^(project|tsconfig)\.json$/,
  /\.tsbuildinfo$/,
  /\.d\.[cm]?ts(\.map)?$/,
  /\.(unit|int|sim|acc|fault)\.spec\.js(\.map)?$/,
  /^(test-support|testing|conformance)$/,
];

/** Copies what runs of a workspace; its `package.json` is written by whoever knows what the image holds. */
export async function copyWorkspace(from: string, to: string): Promise<void> {
  await copyFolder(from, to, (name) => name !== 'package.json' && !notInImage.some((pattern) => pattern.test(name)));
}

/** Types, sources of what was compiled, and maps to them: half of what npm installs, and nothing that Node reads. */
const notRun = /\.([cm]?ts|map)$/;

/** The gateway serves these of the viewer of /docs; its licences come with them. */
const served: Readonly<Record<string, RegExp>> = {
  'swagger-ui-dist': /^(swagger-ui-bundle\.js|swagger-ui\.css|package\.json|LICENSE.*|NOTICE)$/,
};

/** Copies what runs of a package of the registry, without the packages inside it, which the lock file names themselves. */
export async function copyPackage(from: string, to: string): Promise<void> {
  const part = served[basename(from)] ?? /^/;
  await copyFolder(from, to, (name) => name !== 'node_modules' && !notRun.test(name) && part.test(name));
}

async function copyFolder(from: string, to: string, wanted: (name: string) => boolean): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries
      .filter(({ name }) => wanted(name))
      .map((entry) => {
        const [source, copy] = [join(from, entry.name), join(to, entry.name)];
        return entry.isDirectory() ? copyFolder(source, copy, wanted) : copyFile(source, copy, COPYFILE_FICLONE);
      }),
  );
}
