import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadIp = lazy(async () => (await import('ipaddr.js')).default);

export const inspectNetwork = defineTool({
  toolId: 'forge.network.inspect.v1',
  name: { en: 'IP address and subnet calculator', zh: 'IP 地址与子网计算' },
  description: {
    en: 'Explains an IPv4 or IPv6 address or a CIDR block: private, public, loopback or reserved; network, broadcast, first and last address, netmask and how many addresses it has.',
    zh: '解析 IPv4/IPv6 地址或 CIDR 网段：是否私有、公网、回环或保留；网络地址、广播地址、首末地址、掩码与地址数量。',
  },
  categories: ['developer-tools', 'communication'],
  capabilities: [{ id: 'network.inspect_address', tags: ['subnet', 'CIDR', 'IPv6', 'netmask', 'private range'] }],
  parameters: {
    address: {
      schema: { type: 'string', minLength: 2, maxLength: 60, pattern: '^[0-9A-Fa-f:./]+$' },
      en: 'Address or block, such as "192.168.1.7" or "10.1.2.0/22".',
      zh: '地址或网段，如 "192.168.1.7" 或 "10.1.2.0/22"。',
      required: true,
    },
  },
  sampleParameters: { address: '10.1.2.7/22' },
  price: perCall('0.05'),
  run: async (parameters) => {
    const ip = await loadIp();
    const [written = '', length] = text(parameters, 'address').split('/');
    if (!(ip.IPv4.isValidFourPartDecimal(written) || ip.IPv6.isValid(written))) {
      throw new ToolInputError('Parameter "address" is no IP address. Write it like 192.168.1.7 or 2001:db8::1.');
    }
    const address = ip.parse(written);
    const bits = address.kind() === 'ipv4' ? 32 : 128;
    const prefix = length === undefined ? bits : Number(length);
    if (length !== undefined && (!/^\d{1,3}$/.test(length) || prefix > bits)) {
      throw new ToolInputError(`The prefix length after "/" must be a whole number from 0 to ${bits}.`);
    }
    const block = `${address.toString()}/${prefix}`;
    const family = address.kind() === 'ipv4' ? ip.IPv4 : ip.IPv6;
    const netmask = family.subnetMaskFromPrefixLength(prefix);
    return {
      version: address.kind() === 'ipv4' ? 4 : 6,
      address: address.toString(),
      range: address.range(),
      global: address.range() === 'unicast',
      prefix_length: prefix,
      netmask: netmask.toString(),
      first_address: family.networkAddressFromCIDR(block).toString(),
      last_address: family.broadcastAddressFromCIDR(block).toString(),
      address_count: (2n ** BigInt(bits - prefix)).toString(),
    };
  },
});
