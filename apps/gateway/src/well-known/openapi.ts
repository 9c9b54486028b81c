import { readFile } from 'node:fs/promises';
import { API_PREFIX } from '@capability-router/contracts';

export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;
/** Told to everybody, too: it is the same in every deployment of a version, and says nothing of this one. */
export const ADMIN_OPENAPI_PATH = '/admin/v1/openapi.json';

/** By path, what is written by `npm run docs`, which `npm run check` holds to the code. */
const files: Readonly<Record<string, URL>> = {
  [OPENAPI_PATH]: new URL('../../openapi/public.json', import.meta.url),
  [ADMIN_OPENAPI_PATH]: new URL('../../openapi/admin.json', import.meta.url),
};
const kept = new Map<string, Buffer>();

export const openApiPaths: readonly string[] = Object.keys(files);

/** A part of the interface as OpenAPI 3.1, read when somebody asks for it first, and without the line breaks of the file. */
export async function openApiDocument(path: string): Promise<Buffer> {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const file = files[path];
  if (file === undefined) throw new Error(`there is no document at ${path}`);
  const document = Buffer.from(JSON.stringify(JSON.parse(await readFile(file, 'utf8'))));
  kept.set(path, document);
  return document;
}
