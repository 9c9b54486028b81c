import { expect } from '@jest/globals';
import type { DeviceProgram } from './device-program.js';
import { send, type Reply } from './http.js';

/** Sends the form of a page whose action it names, with its hidden fields and what somebody enters. */
export function submit(shown: Reply, action: string, entered: Record<string, string>): Promise<Reply> {
  const [form = ''] = new RegExp(`<form method="post" action="${action}">[\\s\\S]*?</form>`).exec(shown.text) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const fields = { ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), ...entered };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send('POST', action, { rawBody: new URLSearchParams(fields).toString(), headers });
}

export const openAndSend = async ({ page, userCode }: DeviceProgram): Promise<Reply> =>
  submit(await send('GET', page.complete), page.path, { user_code: userCode });

/** Somebody signs in by a key and approves; resolves to what the program is given. */
export async function approvedByKey(program: DeviceProgram, apiKey: string): Promise<Reply> {
  const consent = await submit(await openAndSend(program), '/device/key', { api_key: apiKey });
  expect((await submit(consent, '/device/decision', { decision: 'approve' })).text).toContain('Access given');
  return program.poll();
}
