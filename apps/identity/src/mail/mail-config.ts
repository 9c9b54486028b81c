import { fileURLToPath } from 'node:url';
import { ConfigError, integer, oneOf, text, url } from '@capability-router/service-kit/config';

const MIN_PEPPER_CHARACTERS = 32;
const MAX_WAITING = 1_000_000;
/** `Name <local@domain>`, or the address alone; one line. */
const senderPattern = /^(?:[^<>\p{Cc}]{1,100}<)?([^\s<>"@]{1,64}@[^\s<>"@]{1,190})>?$/u;

export const mailEnvSpec = {
  MAIL_URL: url(['smtp', 'smtps', 'file'], {
    desc: 'Where mail goes: `smtp://user:password@host:587`, `smtps://…` for TLS from the first byte, or `file:///folder`, which gets an .eml file for each mail. Without it no mail is sent, and trials cannot be claimed. Standalone writes into `mails` of its data folder.',
    default: undefined,
    example: 'smtp://mailer:…@smtp.example.com:587',
  }),
  MAIL_FROM: text({
    desc: 'Sender of every mail; needed with MAIL_URL.',
    default: undefined,
    example: 'Tools <no-reply@example.com>',
  }),
  MAIL_TLS: oneOf(['required', 'opportunistic', 'none'], {
    desc: 'Whether a server at smtp:// must offer STARTTLS, may, or is not asked for it.',
    default: 'required',
  }),
  MAIL_MAX_WAITING: integer({
    desc: 'Mails that may wait to be sent; with more, what would need one is refused.',
    min: 1,
    max: MAX_WAITING,
    default: 10_000,
  }),
  IDENTITY_PEPPER: text({
    desc: `Secret of at least ${MIN_PEPPER_CHARACTERS} characters under which mailed codes and e-mail addresses are hashed and waiting mails are sealed; the same on all replicas, needed with MAIL_URL. With another one, codes that were sent do not work, waiting mails cannot be sent, and nobody knows any more which addresses had their welcome bonus.`,
    default: undefined,
    example: 'the output of: openssl rand -hex 32',
  }),
};

export type MailTls = 'required' | 'opportunistic' | 'none';

export interface MailConfig {
  readonly target:
    | { readonly kind: 'smtp'; readonly url: URL; readonly tls: MailTls }
    | { readonly kind: 'file'; readonly folder: string };
  readonly from: string;
  /** The sender's domain, after the `@`. */
  readonly domain: string;
  readonly pepper: string;
  readonly maxWaiting: number;
}

interface MailValues {
  readonly MAIL_URL: string | undefined;
  readonly MAIL_FROM: string | undefined;
  readonly MAIL_TLS: MailTls;
  readonly MAIL_MAX_WAITING: number;
  readonly IDENTITY_PEPPER: string | undefined;
}

/** Undefined where the deployment sends no mail. Throws `ConfigError`, which never repeats a secret. */
export function mailConfigOf(values: MailValues): MailConfig | undefined {
  const { MAIL_URL: target, MAIL_FROM: from = '', IDENTITY_PEPPER: pepper = '' } = values;
  const problems: Record<string, string> = {};
  if (pepper !== '' && pepper.length < MIN_PEPPER_CHARACTERS) {
    problems['IDENTITY_PEPPER'] = `must have at least ${MIN_PEPPER_CHARACTERS} characters, has ${pepper.length}`;
  }
  if (target !== undefined && pepper === '') problems['IDENTITY_PEPPER'] = 'is missing: MAIL_URL needs it';
  const sender = senderPattern.exec(from)?.[1];
  if (target !== undefined && sender === undefined) {
    problems['MAIL_FROM'] =
      from === '' ? 'is missing: MAIL_URL needs it' : 'must be an address, as in "Tools <no-reply@example.com>"';
  }
  const parsed = target === undefined ? undefined : new URL(target);
  if (parsed !== undefined && parsed.protocol !== 'file:' && parsed.hostname === '') {
    problems['MAIL_URL'] = 'names no host';
  }
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  if (parsed === undefined || sender === undefined) return undefined;
  return {
    target:
      parsed.protocol === 'file:'
        ? { kind: 'file', folder: fileURLToPath(parsed) }
        : { kind: 'smtp', url: parsed, tls: values.MAIL_TLS },
    from,
    domain: sender.slice(sender.lastIndexOf('@') + 1),
    pepper,
    maxWaiting: values.MAIL_MAX_WAITING,
  };
}
