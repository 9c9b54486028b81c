import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadDomains = lazy(() => import('tldts'));

/** Entries of the query that are listed. */
const MAX_QUERY_ENTRIES = 500;

export const parseUrl = defineTool({
  toolId: 'forge.url.parse.v1',
  name: { en: 'Take a URL apart', zh: '网址解析' },
  description: {
    en: 'Splits a web address into scheme, host, port, path, query parameters and fragment, and finds the registrable domain and public suffix (example.co.uk), for grouping links by site. Nothing is fetched.',
    zh: '将网址拆分为协议、主机、端口、路径、查询参数与片段，并找出可注册域名与公共后缀（example.co.uk），便于按站点归类链接。不会访问该网址。',
  },
  categories: ['developer-tools', 'communication'],
  capabilities: [{ id: 'web.parse_url', tags: ['domain', 'hostname', 'query string', 'public suffix', 'link'] }],
  parameters: {
    url: {
      schema: { type: 'string', minLength: 4, maxLength: 8_000 },
      en: 'Absolute URL.',
      zh: '绝对网址。',
      required: true,
    },
  },
  sampleParameters: { url: 'https://shop.example.co.uk:8443/a/b?q=tea&page=2#top' },
  price: perCall('0.05'),
  run: async (parameters) => {
    const { parse } = await loadDomains();
    const written = text(parameters, 'url').trim();
    if (!URL.canParse(written)) {
      throw new ToolInputError(
        'Parameter "url" is no absolute URL. Write it with its scheme: https://example.com/path.',
      );
    }
    const url = new URL(written);
    const { domain, publicSuffix, subdomain, isIp } = parse(url.hostname, { allowPrivateDomains: true });
    return {
      normalized: url.href,
      scheme: url.protocol.slice(0, -1),
      host: url.hostname,
      port: url.port === '' ? null : Number(url.port),
      path: url.pathname,
      query: [...url.searchParams].slice(0, MAX_QUERY_ENTRIES).map(([name, value]) => ({ name, value })),
      fragment: url.hash === '' ? null : url.hash.slice(1),
      has_credentials: url.username !== '' || url.password !== '',
      registrable_domain: domain,
      public_suffix: publicSuffix,
      subdomain: subdomain === '' ? null : subdomain,
      is_ip_address: isIp === true,
    };
  },
});
