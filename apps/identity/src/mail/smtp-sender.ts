import type nodemailer from 'nodemailer';
import type { MailConfig } from './mail-config.js';
import { MailRefused } from './mail-refused.js';
import type { SendMail } from './mail.js';
import { messageOf } from './message.js';

/** Milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 10_000;

const PERMANENT = 500;

/** Sends over SMTP, on a connection of its own for each mail. */
export function smtpSender(
  createTransport: typeof nodemailer.createTransport,
  config: Pick<MailConfig, 'from'>,
  { url, tls }: MailConfig['target'] & { kind: 'smtp' },
): SendMail {
  const secure = url.protocol === 'smtps:';
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: tls === 'none',
    ...(url.username === '' ? {} : { auth }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async (mail) => {
    try {
      await transport.sendMail(messageOf(mail, config.from));
    } catch (error) {
      throw isRefusal(error) ? new MailRefused(error) : error;
    }
  };
}

/** The server has answered 5xx about this mail. What it says of a log-in or of TLS is the operator's to mend. */
function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown };
  return typeof responseCode === 'number' && responseCode >= PERMANENT && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
