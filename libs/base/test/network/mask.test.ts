import { expect } from 'chai';
import { maskIp, networkOf } from '@sluice/base';

const table: readonly [address: string, v4: number, v6: number, masked: string][] = [
  ['192.0.2.77', 24, 64, '192.0.2.0'],
  ['192.0.2.77', 32, 64, '192.0.2.77'],
  ['1.3.5.7', 32, 64, '1.3.5.7'],
  ['192.0.2.77', 0, 64, '0.0.0.0'],
  ['255.255.255.255', 17, 64, '255.255.128.0'],
  ['2001:db8:1:2:3:4:5:6', 24, 64, '2001:db8:1:2::'],
  ['2001:db8:ffff:2:3:4:5:6', 24, 36, '2001:db8:f000::'],
  ['::1', 24, 128, '::1'],
  ['0.0.0.0', 24, 64, '0.0.0.0'],
  ['255.255.255.255', 31, 64, '255.255.255.254'],
  ['255.255.255.255', 1, 64, '128.0.0.0'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 24, 97, 'ffff:ffff:ffff:ffff:ffff:ffff:8000:0'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 24, 0, '::'],
  ['%eth0', 24, 64, '%eth0'],
  ['fe80::1%eth0', 24, 10, 'fe80::'],
  ['not an address', 24, 64, 'not an address'],
];

describe('maskIp', () => {
  for (const [address, v4, v6, masked] of table) {
    it(`maskIp returns ${masked} for ${address} with ${v4} and ${v6} bits`, () => {
      expect(maskIp(address, v4, v6)).to.equal(masked);
    });
  }

  it('networkOf appends the prefix length', () => {
    expect(networkOf('192.0.2.77', 24, 64)).to.equal('192.0.2.0/24');
    expect(networkOf('2001:db8::1', 24, 64)).to.equal('2001:db8::/64');
    expect(networkOf('@', 24, 64)).to.equal('@');
    expect(networkOf('0.0.0.0', 0, 64)).to.equal('0.0.0.0/0');
    expect(networkOf('192.0.2.0', 24, 64)).to.equal('192.0.2.0/24');
    expect(networkOf('2001:db8::', 24, 64)).to.equal('2001:db8::/64');
  });
});
