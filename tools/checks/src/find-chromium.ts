import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The browser in which pages are driven: what `TEST_CHROMIUM` names, else what the machine has; undefined where it has none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['TEST_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
