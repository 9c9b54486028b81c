import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadAddresses = lazy(async () => {
  const [addresses, domains] = await Promise.all([import('email-addresses'), import('tldts')]);
  return { parseOneAddress: addresses.default.parseOneAddress, ...domains };
});

/** 120,000 names: loaded only once an address has passed everything else. */
const loadDisposableDomains = lazy(async () => {
  const { createRequire } = await import('node:module');
  const names = createRequire(import.meta.url)('disposable-email-domains') as readonly string[];
  return new Set(names);
});

/** Octets, RFC 5321 4.5.3.1. */
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;

/** Mailboxes of a function and not of a person, RFC 2142 and custom. */
const roles: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'billing',
  'contact',
  'help',
  'hostmaster',
  'info',
  'jobs',
  'marketing',
  'no-reply',
  'noreply',
  'office',
  'postmaster',
  'sales',
  'security',
  'support',
  'webmaster',
]);

export const checkEmail = defineTool({
  toolId: 'assay.email.check.v1',
  name: { en: 'Check an e-mail address', zh: '电子邮件地址校验' },
  description: {
    en: 'Checks the syntax of an e-mail address by RFC 5322, whether its domain ends in a real public suffix, and whether it is a throw-away (disposable) or a role mailbox. No mail is sent and no server is asked.',
    zh: '按 RFC 5322 校验电子邮件地址的语法，检查域名后缀是否真实存在，并识别一次性（临时）邮箱与职能邮箱。不发送邮件，也不访问服务器。',
  },
  categories: ['validation', 'communication'],
  capabilities: [{ id: 'communication.check_email', tags: ['e-mail', 'disposable', 'sign-up', 'lead', 'verify'] }],
  parameters: {
    email: {
      schema: { type: 'string', minLength: 1, maxLength: 400 },
      en: 'Address, also with a name: "Ada <ada@example.com>".',
      zh: '邮件地址，可带姓名："Ada <ada@example.com>"。',
      required: true,
    },
  },
  sampleParameters: { email: 'Ada Lovelace <ada@mailinator.com>' },
  price: perCall('0.4'),
  run: async (parameters) => {
    const { parseOneAddress, parse } = await loadAddresses();
    const parsed = parseOneAddress({ input: text(parameters, 'email').trim(), rfc6532: true });
    if (parsed === null || parsed.type !== 'mailbox') return { valid: false, reason: 'wrong_syntax' };
    const { name, local, domain, address } = parsed;
    const { isIcann, domain: registrable } = parse(domain, { allowPrivateDomains: false });
    if (Buffer.byteLength(local) > MAX_LOCAL_PART || Buffer.byteLength(address) > MAX_ADDRESS) {
      return { valid: false, reason: 'too_long' };
    }
    if (isIcann !== true || registrable === null) return { valid: false, reason: 'unknown_domain_suffix' };
    const host = domain.toLowerCase();
    const disposable = await loadDisposableDomains();
    return {
      valid: true,
      address: `${local}@${host}`,
      name,
      local_part: local,
      domain: host,
      registrable_domain: registrable,
      disposable: disposable.has(host) || disposable.has(registrable),
      role_mailbox: roles.has(local.toLowerCase()),
    };
  },
});
