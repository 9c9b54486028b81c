import { once } from '@capability-router/kernel';
import type { Logger } from 'pino';
import { fileSender } from './file-sender.js';
import type { MailConfig } from './mail-config.js';
import type { SendMail } from './mail.js';
import { smtpSender } from './smtp-sender.js';

export function mailSender(config: MailConfig, logger: Logger): SendMail {
  const { target } = config;
  // Loaded with the first mail, so that the start does not wait for it.
  const sender = once(async () => {
    const { createTransport } = (await import('nodemailer')).default;
    return target.kind === 'file'
      ? fileSender(createTransport, config, target.folder, logger)
      : smtpSender(createTransport, config, target);
  });
  return async (mail) => (await sender())(mail);
}
