import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailDir } from './environment.js';
import { eventually } from './eventually.js';

/** Waits for the mail to an address that nobody else uses. The six digits on a line of their own, if it has some. */
export async function codeMailedTo(email: string): Promise<string | undefined> {
  const mail = await eventually(async () => {
    const found = (await sources()).find((source) => source.includes(`\nTo: ${email}\n`));
    if (found === undefined) throw new Error(`no mail to ${email} yet`);
    return found;
  });
  return /^(\d{6})$/m.exec(mail)?.[1];
}

async function sources(): Promise<string[]> {
  const names = (await readdir(mailDir())).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map((name) => readFile(join(mailDir(), name), 'utf8')));
}
