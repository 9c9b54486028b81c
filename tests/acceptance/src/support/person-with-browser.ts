/**
 * `BROWSER` names this program while a guide is tested: somebody who opens the page of a program, signs in by the code that is mailed to
 * `EMAIL`, and approves. `ORIGIN` is where the page is reached, and `MAILS` the folder that the mail is written to.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const POLL_MS = 50;

const given = (name: string): string => {
  const value = process.env[name] ?? '';
  if (value === '') throw new Error(`${name} is not set`);
  return value;
};

const [email, folder, origin] = [given('EMAIL'), given('MAILS'), given('ORIGIN')];

async function codesMailed(): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`\nTo: ${email}\n`)).flatMap((mail) => /^\d{6}$/m.exec(mail) ?? []);
}

async function nextCode(before: number): Promise<string> {
  for (const endsMs = Date.now() + PATIENCE_MS; Date.now() < endsMs; await sleep(POLL_MS)) {
    const code = (await codesMailed())[before];
    if (code !== undefined) return code;
  }
  throw new Error(`no code was mailed to ${email}`);
}

async function read(answer: Response): Promise<string> {
  const page = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${page}`);
  return page;
}

/** Sends the form of a page whose action it names, with its hidden fields and what somebody enters. */
function submit(page: string, action: string, entered: Record<string, string>): Promise<string> {
  const [form = ''] = new RegExp(`<form method="post" action="${action}">[\\s\\S]*?</form>`).exec(page) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return fetch(new URL(action, origin), { method: 'POST', body: new URLSearchParams({ ...fields, ...entered }) }).then(
    read,
  );
}

const { pathname, search, searchParams } = new URL(process.argv[2] ?? '');
const opened = await fetch(new URL(`${pathname}${search}`, origin)).then(read);
const signIn = await submit(opened, pathname, { user_code: searchParams.get('user_code') ?? '' });
const before = (await codesMailed()).length;
const asked = await submit(signIn, `${pathname}/email`, { email });
const consent = await submit(asked, `${pathname}/email-code`, { code: await nextCode(before) });
await submit(consent, `${pathname}/decision`, { decision: 'approve' });
