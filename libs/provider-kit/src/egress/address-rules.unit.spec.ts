import { describe, expect, it } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { AddressRules } from './address-rules.js';
import { specialNetworks } from './special-networks.js';

const publicOnly = new AddressRules();

describe('without anything opened', () => {
  it.each(specialNetworks.map(({ cidr, purpose }) => [cidr, purpose]))(
    '%s (%s) is refused from its first address to its last',
    (cidr) => {
      const [first, last] = edgesOf(cidr);
      expect(publicOnly.refusal(first)).toEqual(expect.any(String));
      expect(publicOnly.refusal(last)).toEqual(expect.any(String));
    },
  );

  it.each([
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '8.8.8.8',
    '2001:200::1',
    '2606:4700::1111',
    '2001:db9::1',
    '2a00:1450::1',
  ])('%s, a public address, is allowed', (address) => {
    expect(publicOnly.refusal(address)).toBeUndefined();
  });

  it.each([
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '::127.0.0.1',
    '4000::1',
    'fe80::1%lo',
    'not an address',
    '',
  ])('%s is refused', (address) => {
    expect(publicOnly.refusal(address)).toEqual(expect.any(String));
  });
});

describe('with opened networks', () => {
  it('allows what they contain and nothing beside it', () => {
    const rules = new AddressRules(['10.20.0.0/16', '::1/128']);
    expect(rules.refusal('10.20.255.255')).toBeUndefined();
    expect(rules.refusal('::1')).toBeUndefined();
    expect(rules.refusal('10.21.0.0')).toBe('private use');
    expect(rules.refusal('8.8.8.8')).toBeUndefined();
  });

  it('never allows forms that hide another address, and never multicast', () => {
    const rules = new AddressRules(['0.0.0.0/0', '::/0']);
    for (const address of ['::ffff:10.0.0.1', '2002:a00:1::', '224.0.0.1', 'ff02::1', '0.0.0.0', '::']) {
      expect(rules.refusal(address)).toEqual(expect.any(String));
    }
  });

  it.each([
    ['169.254.169.254', ['0.0.0.0/0', '169.254.0.0/16', '169.254.169.254/32']],
    ['169.254.1.1', ['169.254.0.0/16']],
    ['fe80::1', ['::/0', 'fe80::/10']],
    ['100.100.100.200', ['100.64.0.0/10', '100.100.100.200/32']],
    ['fd00:ec2::254', ['fc00::/7', 'fd00:ec2::254/128']],
  ])('never allows link-local and metadata addresses: %s', (address, opened) => {
    expect(new AddressRules(opened).refusal(address)).toMatch(/link-local|metadata/);
  });

  it('allows the neighbours of metadata addresses, and the loopback', () => {
    const rules = new AddressRules(['100.64.0.0/10', 'fc00::/7', '127.0.0.0/8']);
    for (const address of ['100.100.100.201', 'fd00:ec2::253', '127.0.0.1']) {
      expect(rules.refusal(address)).toBeUndefined();
    }
  });

  it('vets the IPv4 address behind an opened NAT64 prefix', () => {
    const rules = new AddressRules(['64:ff9b::/96']);
    expect(rules.refusal('64:ff9b::808:808')).toBeUndefined();
    expect(rules.refusal('64:ff9b::a9fe:a9fe')).toContain('link-local');
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'host/8', ''])('refuses to be built with %j, naming it', (cidr) => {
    expect(() => new AddressRules([cidr])).toThrow(
      new RangeError(`"${cidr}" is no network in CIDR form, like 10.20.0.0/16`),
    );
  });
});

function edgesOf(cidr: string): [string, string] {
  const [base, bits] = ipaddr.parseCIDR(cidr);
  const first = base.toByteArray();
  const last = first.map((byte, index) => {
    const hostBits = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
    return byte | ((1 << hostBits) - 1);
  });
  return [base.toString(), ipaddr.fromByteArray(last).toString()];
}
