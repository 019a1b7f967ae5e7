import { compileRanges, parseIPv4, parseIPv6, parseIpRange, privateRanges, unmapIPv4 } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

describe('compileRanges and parseIpRange', () => {
  const cases: [string[], string[], string[]][] = [
    [['10.0.0.0/8'], ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', '::ffff:10.0.0.1', '::', '', 'x']],
    [['10.1.2.3/8'], ['10.0.0.1'], ['11.0.0.1']],
    [['10.0.0.1'], ['10.0.0.1'], ['10.0.0.2', '10.0.0.1 ', '10.0.0.01']],
    [['0.0.0.0/0'], ['0.0.0.0', '255.255.255.255'], ['::1', '::ffff:1.2.3.4']],
    [['::/0'], ['::1', '::ffff:1.2.3.4', 'fe80::1%eth0'], ['1.2.3.4']],
    [['2001:db8::/33'], ['2001:db8::1', '2001:0DB8:7fff::'], ['2001:db8:8000::', '2001:db9::']],
    [['::ffff:5.6.7.0/120'], ['::ffff:5.6.7.8', '::ffff:506:708'], ['5.6.7.8', '::ffff:5.6.8.8']],
    [['fe80::1%eth0'], ['fe80::1%eth0'], ['fe80::1', 'fe80::1%lo', 'fe80::2%eth0']],
    [['fe80::/10%eth0'], ['fe80::9%eth0'], ['fe80::9%lo', 'fe80::9']],
    [['fe80::1%eth0/64'], ['fe80::9%eth0'], ['fe80::9%lo']],
    [['fe80::/10%'], ['fe80::9%eth0', 'fe80::9'], ['1.1.1.1']],
    [['fe80::1'], ['fe80::1%eth0', 'fe80::1'], ['fe80::2%eth0']],
    [
      ['10.0.0.0/9', '10.128.0.0/9', '10.5.0.0/16', '9.0.0.1'],
      ['10.127.0.1', '10.255.0.1', '9.0.0.1'],
      ['9.0.0.2', '11.0.0.0'],
    ],
    [
      [...privateRanges],
      ['127.9.9.9', '192.168.3.4', '172.31.0.1', '::1', 'fdff::1'],
      ['172.32.0.1', '8.8.8.8', 'fe80::1'],
    ],
    [['10.0.0.0/31', '10.0.0.0/30'], ['10.0.0.2', '10.0.0.3'], ['10.0.0.4']],
    [['10.0.0.0', '10.0.0.0/31'], ['10.0.0.1'], ['10.0.0.2']],
    [[], [], ['1.2.3.4', '::1']],
  ];
  for (const [list, inside, outside] of cases) {
    it(`compileRanges matches addresses in ${JSON.stringify(list)}`, () => {
      const has = compileRanges(list);
      for (const address of inside) expect(has(address), address).to.equal(true);
      for (const address of outside) expect(has(address), address).to.equal(false);
    });
  }

  const refused: [string, RegExp][] = [
    ['private_ranges', /"private_ranges" is not an IP address or CIDR range/],
    ['', /"" is not an IP address/],
    ['10.0.0', /not an IP address/],
    ['10.0.0.256', /not an IP address/],
    ['010.0.0.1', /not an IP address/],
    [' 10.0.0.1', /not an IP address/],
    ['127.*', /not an IP address/],
    ['[::1]', /not an IP address/],
    ['0x7f.0.0.1', /not an IP address/],
    ['1.1.1.1-1.1.1.9', /not an IP address/],
    ['/8', /not an IP address/],
    ['10.0.0.1/33', /from 0 to 32/],
    ['::1/129', /from 0 to 128/],
    ['10.0.0.1/', /prefix length/],
    ['10.0.0.1/08', /prefix length/],
    ['10.0.0.1/+8', /prefix length/],
    ['10.0.0.1/8/8', /prefix length/],
    ['10.0.0.1/ 8', /prefix length/],
  ];
  for (const [text, message] of refused) {
    it(`parseIpRange rejects ${JSON.stringify(text)}`, () => expect(() => parseIpRange(text)).to.throw(message));
  }

  it('compileRanges reports the index of an invalid entry', () => {
    expect(() => compileRanges(['::1', '1.2.3.4', 'x']))
      .to.throw('[2]: "x" is not an IP address')
      .with.property('code', 'ERR_VALUE');
  });

  it('compileRanges agrees with net.BlockList on addresses of the same family', () => {
    const prefix4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
    const prefix6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 }));
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(
        fc.array(prefix4),
        fc.array(prefix6),
        fc.array(address, { minLength: 5 }),
        (prefixes4, prefixes6, addresses) => {
          const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
          for (const [base, bits] of prefixes4) lists.ipv4.addSubnet(base, bits, 'ipv4');
          for (const [base, bits] of prefixes6) lists.ipv6.addSubnet(base, bits, 'ipv6');
          const has = compileRanges([...prefixes4, ...prefixes6].map(([base, bits]) => `${base}/${bits}`));
          const near = [...prefixes4, ...prefixes6].map(([base]) => base);
          for (const sought of [...addresses, ...near]) {
            const family = isIPv4(sought) ? 'ipv4' : 'ipv6';
            expect(has(sought), sought).to.equal(lists[family].check(sought, family));
          }
        },
      ),
    );
  });
});

describe('parseIPv4 and parseIPv6', () => {
  const nearly = fc.string({
    unit: fc.constantFrom('0', '1', '25', '256', 'f', 'ffff', ':', ':', '::', '.', '.'),
    maxLength: 16,
  });

  it('parseIPv4 accepts exactly what Node accepts', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), nearly), (text) => parseIPv4(text) >= 0 === isIPv4(text)));
  });

  it('parseIPv6 accepts exactly what Node accepts', () => {
    const words = new Uint32Array(4);
    fc.assert(fc.property(fc.oneof(fc.ipV6(), nearly), (text) => parseIPv6(text, words) === isIPv6(text)));
  });

  it('parseIPv6 returns the 16-bit words of an address', () => {
    const words = new Uint32Array(4);
    expect(parseIPv6('2001:db8::ff00:42:8329', words)).to.equal(true);
    expect([...words]).to.deep.equal([0x20010db8, 0, 0xff00, 0x00428329]);
    expect(parseIPv6('::ffff:1.2.3.4', words)).to.equal(true);
    expect([...words]).to.deep.equal([0, 0, 0xffff, 0x01020304]);
  });

  it('unmapIPv4 returns the IPv4 address of a peer on a dual-stack socket', () => {
    expect(unmapIPv4('::ffff:127.0.0.1')).to.equal('127.0.0.1');
    expect(unmapIPv4('::1')).to.equal('::1');
    expect(unmapIPv4('::ffff:7f00:1')).to.equal('::ffff:7f00:1');
  });
});
