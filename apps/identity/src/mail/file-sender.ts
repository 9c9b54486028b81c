import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type nodemailer from 'nodemailer';
import type { Logger } from 'pino';
import type { MailConfig } from './mail-config.js';
import type { SendMail } from './mail.js';
import { messageOf } from './message.js';

/** Writes each mail into a file of its own, whole or not at all, readable by its owner; a second attempt replaces it. */
export function fileSender(
  createTransport: typeof nodemailer.createTransport,
  { from }: Pick<MailConfig, 'from'>,
  folder: string,
  logger: Logger,
): SendMail {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return async (mail) => {
    const { message } = await transport.sendMail(messageOf(mail, from));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const [name = ''] = mail.messageId.replace(/^</, '').split('@', 1);
    const path = join(folder, `${name}.eml`);
    await writeFile(`${path}.tmp`, message as Buffer, { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    logger.warn({ path }, 'MAIL_URL names a folder: a mail was written to a file');
  };
}
