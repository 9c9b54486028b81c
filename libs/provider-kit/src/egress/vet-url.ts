import { isIP } from 'node:net';
import type { ProviderEgress } from '@capability-router/contracts';
import { EgressRefusedError } from './egress-error.js';

/** Characters of a URL with everything that a caller's parameters put into it. */
export const MAX_URL_LENGTH = 16_384;

/** Ports of other protocols, after "port blocking" of the Fetch standard: an HTTP request must not speak to them. */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/**
 * Reads a URL as browsers do, so that `0x7f.1`, `2130706433`, full-width letters and the like are turned into what they
 * mean, and checks what can be checked without resolving the name. Throws `EgressRefusedError`.
 */
export function vetUrl(input: string | URL, egress: ProviderEgress): URL {
  const url = parseUrl(input);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && egress.allowHttp === true)) {
    throw new EgressRefusedError('scheme', `${url.protocol} is not allowed; use https:`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressRefusedError('userinfo', 'A user or password in a URL is not allowed');
  }
  if (url.port !== '' && blockedPorts.has(Number(url.port))) {
    throw new EgressRefusedError('port', `Port ${url.port} belongs to another protocol`);
  }
  vetHost(url, egress);
  url.hash = '';
  return url;
}

function parseUrl(input: string | URL): URL {
  const text = String(input);
  if (text.length > MAX_URL_LENGTH) throw new EgressRefusedError('invalid_url', 'The URL is too long');
  if (!URL.canParse(text)) throw new EgressRefusedError('invalid_url', 'The URL cannot be read');
  return new URL(text);
}

function vetHost(url: URL, egress: ProviderEgress): void {
  // `host.` names the same host as `host`, and must not slip past a list.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname;
  if (host === '' || host.endsWith('.') || host.includes('..')) {
    throw new EgressRefusedError('invalid_url', 'The URL has no readable host');
  }
  const { allowHosts } = egress;
  if (allowHosts !== undefined && !allowHosts.some((pattern) => matchesHost(pattern, host))) {
    throw new EgressRefusedError('host', `${host} is not among the hosts that this provider may use`);
  }
}

/** `pattern`: a host, or `*.example.com` for every host below it, itself excluded. */
function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  if (!wanted.startsWith('*.')) return wanted === host;
  return host.endsWith(wanted.slice(1)) && isIP(host) === 0;
}
