import { domainToASCII, domainToUnicode } from 'node:url';
import { once } from '@capability-router/kernel';

/** Characters; RFC 5321 allows no longer path. */
export const MAX_EMAIL_LENGTH = 254;

/** Loaded with the first address, so that the start does not wait for it. */
const loadValidator = once(async () => (await import('validator')).default);

export interface EmailAddress {
  /** As mail is sent to it: in lower case, its domain in ASCII. */
  readonly email: string;
  /** Addresses that end in one mailbox share it: without tags, and without dots where the mailbox ignores them. */
  readonly canonical: string;
  /** In lower case and in ASCII. */
  readonly domain: string;
}

/**
 * Undefined for a text that is no address which any mail server takes: its local part is ASCII without quotes. Its domain in
 * ASCII may be longer than it was written.
 */
export async function emailAddressOf(text: string): Promise<EmailAddress | undefined> {
  const { isEmail, normalizeEmail } = await loadValidator();
  const plain = text.normalize('NFKC').trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  const domain = domainToASCII(plain.slice(at + 1));
  const email = `${plain.slice(0, at)}@${domain}`;
  if (at < 1 || domain === '' || email.includes('"') || email.length > MAX_EMAIL_LENGTH) return undefined;
  if (!isEmail(email, { allow_utf8_local_part: false })) return undefined;
  return { email, canonical: untagged(normalizeEmail(email) || email), domain };
}

/** How the address may stand in a row: as it is stored, or as it was stored before the domain was put into ASCII. */
export const storedFormsOf = ({ email, domain }: EmailAddress): readonly string[] => [
  ...new Set([email, `${email.slice(0, -domain.length)}${domainToUnicode(domain)}`]),
];

/** The package `validator` knows how providers treat dots and aliases; a `+` begins a tag at every provider here. */
function untagged(normalized: string): string {
  const at = normalized.lastIndexOf('@');
  const local = normalized.slice(0, at);
  const [name = ''] = local.split('+', 1);
  return `${name === '' ? local : name}${normalized.slice(at)}`;
}

/** `somebody@example.org` as `s***@example.org`: enough to recognise one's own. */
export const maskEmail = (email: string): string => `${email.charAt(0)}***${email.slice(email.lastIndexOf('@'))}`;
