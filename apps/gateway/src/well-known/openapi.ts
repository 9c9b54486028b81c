import { readFile } from 'node:fs/promises';
import { API_PREFIX } from '@capability-router/contracts';

export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;

/** Written by `npm run docs`, which `npm run check` holds to the code. */
const file = new URL('../../openapi/public.json', import.meta.url);
let kept: Buffer | undefined;

/** The public interface as OpenAPI 3.1, read when somebody asks for it first, and without the line breaks of the file. */
export async function openApiDocument(): Promise<Buffer> {
  return (kept ??= Buffer.from(JSON.stringify(JSON.parse(await readFile(file, 'utf8')))));
}
