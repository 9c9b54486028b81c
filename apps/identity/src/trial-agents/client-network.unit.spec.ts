import { describe, expect, it } from '@jest/globals';
import { clientNetworkOf } from './client-network.js';

describe('the network of a client address', () => {
  it('is the /24 of an IPv4 address', () => {
    expect(clientNetworkOf('203.0.113.77')).toEqual({ address: '203.0.113.77', network: '203.0.113.0/24' });
  });

  it('is the /64 of an IPv6 address', () => {
    expect(clientNetworkOf('2001:db8:1:2:3:4:5:6')).toEqual({
      address: '2001:db8:1:2:3:4:5:6',
      network: '2001:db8:1:2::/64',
    });
  });

  it.each(['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8:0000::0001', ' 2001:db8::1%eth0 ', '2001:db8::0.0.0.1'])(
    'is one and the same however %s is written',
    (text) => expect(clientNetworkOf(text)).toEqual(clientNetworkOf('2001:db8::1')),
  );

  it.each(['::ffff:203.0.113.77', '::ffff:cb00:714d', '0:0:0:0:0:ffff:203.0.113.77'])(
    'treats the mapped address %s as IPv4, so that it has no second allowance',
    (text) => expect(clientNetworkOf(text)).toEqual(clientNetworkOf('203.0.113.77')),
  );

  it('handles loopback of both families', () => {
    expect(clientNetworkOf('::1')?.network).toBe('0:0:0:0::/64');
    expect(clientNetworkOf('127.0.0.1')?.network).toBe('127.0.0.0/24');
  });

  it.each(['', 'localhost', '1.2.3', '1.2.3.4:80', '[::1]', '1.2.3.4, 5.6.7.8', '::g'])(
    'does not guess at %j',
    (text) => expect(clientNetworkOf(text)).toBeUndefined(),
  );
});
