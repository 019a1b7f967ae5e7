import { expect } from 'chai';
import { canonicalHost, canonicalIPv6, joinHostPort, splitHostPort } from '@sluice/base';

describe('host-port.ts', () => {
  const split: [text: string, host: string, port: string][] = [
    ['example.com:80', 'example.com', '80'],
    ['example.com', 'example.com', ''],
    ['example.com:', 'example.com', ''],
    [':80', '', '80'],
    ['', '', ''],
    ['[::1]:80', '::1', '80'],
    ['[::1]', '::1', ''],
    ['[::1]:', '::1', ''],
    ['[]:80', '', '80'],
    ['::1', '::1', ''],
    ['fe80::1%eth0', 'fe80::1%eth0', ''],
    ['{env.HOST}:{env.PORT}', '{env.HOST}', '{env.PORT}'],
  ];
  for (const [text, host, port] of split)
    it(`splitHostPort splits ${JSON.stringify(text)} into ${JSON.stringify([host, port])}`, () =>
      expect(splitHostPort(text)).to.deep.equal({ host, port }));

  const refused: [text: string, message: string][] = [
    ['a:b:80', 'too many colons'],
    ['::1:99999:g', 'too many colons'],
    ['[::1', 'after "["'],
    ['[::1]80', 'after "["'],
    ['[[::1]]:80', 'after "["'],
    ['[a[b]:80', 'misplaced bracket'],
    ['a]:80', 'misplaced bracket'],
    ['a[', 'misplaced bracket'],
  ];
  for (const [text, message] of refused)
    it(`splitHostPort rejects ${JSON.stringify(text)}`, () =>
      expect(() => splitHostPort(text))
        .to.throw(message)
        .with.property('code', 'ERR_VALUE'));

  it('joinHostPort adds brackets around hosts with colons', () => {
    expect(joinHostPort('example.com', 80)).to.equal('example.com:80');
    expect(joinHostPort('::1', '443')).to.equal('[::1]:443');
    expect(joinHostPort('', 80)).to.equal(':80');
  });

  const canonical: [host: string, form: string][] = [
    ['Example.COM', 'example.com'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['FE80::0:1%Eth0', 'fe80::1%eth0'],
    // All spellings of "all interfaces".
    ['', ''],
    ['0.0.0.0', ''],
    ['::', ''],
    ['0:0::0', ''],
    // Text that is not an address must be unchanged.
    ['a:b', 'a:b'],
    ['::g', '::g'],
  ];
  for (const [host, form] of canonical)
    it(`canonicalHost returns ${JSON.stringify(form)} for ${JSON.stringify(host)}`, () =>
      expect(canonicalHost(host)).to.equal(form));

  it('canonicalIPv6 formats IPv6 as in RFC 5952', () => {
    expect(canonicalIPv6('2001:0DB8:0:0:1:0:0:1')).to.equal('2001:db8::1:0:0:1');
    expect(canonicalIPv6('::FFFF:192.0.2.1')).to.equal('::ffff:192.0.2.1');
  });
});
