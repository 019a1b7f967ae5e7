/** Tests `dns.providers.rfc2136` against BIND and Knot. */
import { expect } from 'chai';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import { hasDnsServer, provision, refusal, startDnsServer, type DnsServer, type Provisioned } from '@sluice/testing';
import type { JsonObject } from '@sluice/base';
import { register } from '../src/index.ts';

const settings = { register: [register], key: 'name' };
const zone = 'example.test.';

function configFor({ address, key }: DnsServer): JsonObject {
  return { name: 'rfc2136', server: address, key_name: key.name, key_alg: key.algorithm, key: key.secret };
}

const soon = (): AbortSignal => AbortSignal.timeout(10_000);
const text = (name: string, value: string): DnsRecord => ({ name, type: 'TXT', value, ttl: 60_000 });

async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

for (const kind of ['bind', 'knot'] as const)
  describe(`dns.providers.rfc2136 and ${kind}`, () => {
    let server: DnsServer;
    let made: Provisioned<DnsProvider>;
    before(async function () {
      if (!hasDnsServer(kind)) this.skip();
      server = await startDnsServer(kind);
      made = await provision(dnsProviders, configFor(server), settings);
    });
    after(async () => {
      await (made as typeof made | undefined)?.close();
      await (server as typeof server | undefined)?.close();
    });

    async function textsOf(name: string): Promise<string[]> {
      try {
        return (await server.resolver.resolveTxt(`${name}.example.test`)).map((parts) => parts.join('')).sort();
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).to.be.oneOf(['ENOTFOUND', 'ENODATA']);
        return [];
      }
    }

    it('rfc2136 appends records, keeps existing records and removes single records', async () => {
      await made.instance.append(zone, [text('_acme-challenge.a', 'one')], soon());
      await made.instance.append(zone, [text('_acme-challenge.a', 'two')], soon());
      await made.instance.append(zone, [text('_acme-challenge.a', 'two')], soon());
      expect(await textsOf('_acme-challenge.a')).to.deep.equal(['one', 'two']);
      await made.instance.remove(zone, [text('_acme-challenge.a', 'one')], soon());
      expect(await textsOf('_acme-challenge.a')).to.deep.equal(['two']);
      await made.instance.remove(zone, [text('_acme-challenge.a', 'two')], soon());
      await made.instance.remove(zone, [text('_acme-challenge.a', 'two')], soon());
      expect(await textsOf('_acme-challenge.a')).to.deep.equal([]);
    });

    it('rfc2136 splits TXT values into strings of 255 bytes', async () => {
      const long = 'x'.repeat(600);
      await made.instance.append(zone, [text('long', long)], soon());
      expect(await textsOf('long')).to.deep.equal([long]);
    });

    it('rfc2136 replaces record sets, keeps other record sets, and lists the zone', async () => {
      const address = (value: string): DnsRecord => ({ name: 'www', type: 'A', value, ttl: 120_000 });
      await made.instance.append(zone, [address('192.0.2.1'), text('www', 'kept')], soon());
      await made.instance.set?.(zone, [address('192.0.2.2'), { ...address('192.0.2.3'), name: '@' }], soon());
      const others: DnsRecord[] = [
        { name: 'six', type: 'AAAA', value: '2001:db8::1', ttl: 60_000 },
        { name: 'alias', type: 'CNAME', value: 'www.example.test.', ttl: 60_000 },
        { name: '@', type: 'MX', value: '10 mail.example.net.', ttl: 60_000 },
        { name: '_sip._tcp', type: 'SRV', value: '1 2 5060 sip.example.net.', ttl: 60_000 },
        { name: '@', type: 'CAA', value: '0 issue "ca.example"', ttl: 60_000 },
      ];
      await made.instance.append(zone, others, soon());
      const found = await made.instance.get?.(zone, soon());
      const expected = [address('192.0.2.2'), { ...address('192.0.2.3'), name: '@' }, ...others];
      for (const each of expected) expect(found).to.deep.include(each);
      expect(found).to.deep.include({ name: 'www', type: 'TXT', value: 'kept', ttl: 60_000 });
      expect(found?.filter(({ name, type }) => name === 'www' && type === 'A')).to.have.length(1);
    });

    it('rfc2136 reports that the server rejects its key, without revealing the key', async () => {
      const secret = Buffer.from('another secret of the test').toString('base64');
      const wrong = await provision(dnsProviders, { ...configFor(server), key: secret }, settings);
      const unknown = await provision(dnsProviders, { ...configFor(server), key_name: 'unknown' }, settings);
      try {
        for (const [provider, reason] of [
          [wrong, /BADSIG|NOTAUTH/],
          [unknown, /BADKEY|NOTAUTH/],
        ] as const) {
          const message = await failureOf(provider.instance.append(zone, [text('x', 'y')], soon()));
          expect(message).to.match(reason);
          expect(message).not.to.include(secret).and.not.to.include(server.key.secret);
        }
      } finally {
        await wrong.close();
        await unknown.close();
      }
    });

    it('rfc2136 reports zones that the server does not serve', async () => {
      const message = await failureOf(made.instance.append('other.test.', [text('x', 'y')], soon()));
      expect(message).to.match(/NOTAUTH|REFUSED/);
    });
  });

describe('dns.providers.rfc2136', () => {
  const config = { name: 'rfc2136', server: '127.0.0.1:1', key_name: 'k', key_alg: 'hmac-sha256', key: 'c2VjcmV0' };

  it('rfc2136 supports all algorithms that BIND supports', async function () {
    if (!hasDnsServer('bind')) this.skip();
    for (const algorithm of ['hmac-md5', 'hmac-sha1', 'hmac-sha224', 'hmac-sha384', 'hmac-sha512']) {
      const server = await startDnsServer('bind', { algorithm });
      const { instance, close } = await provision(dnsProviders, configFor(server), settings);
      try {
        await instance.append(zone, [text('a', algorithm)], soon());
        expect(await server.resolver.resolveTxt('a.example.test')).to.deep.equal([[algorithm]]);
      } finally {
        await close();
        await server.close();
      }
    }
  });

  it('rfc2136 rejects missing and invalid options and reports their paths', async () => {
    for (const [change, message] of [
      [{ server: '' }, 'apps.host.module.server: is required'],
      [{ server: '192.0.2.1:dns' }, 'apps.host.module.server: "192.0.2.1:dns" is not an address such as 192.0.2.1:53'],
      [{ key_alg: 'sha256' }, 'apps.host.module.key_alg: "sha256" is not a TSIG algorithm; supported: '],
      [
        { key: '{env.SLUICE_TEST_NO_SUCH}' },
        'apps.host.module.key: the placeholder {env.SLUICE_TEST_NO_SUCH} is empty',
      ],
      [{ key: 'not base64' }, 'apps.host.module.key: is not base64-encoded'],
    ] as const)
      expect(await refusal(dnsProviders, { ...config, ...change }, settings)).to.include(message);
  });

  it('rfc2136 reports an unavailable server', async () => {
    const { instance, close } = await provision(dnsProviders, config, settings);
    const message = await failureOf(instance.append(zone, [text('x', 'y')], soon()));
    expect(message).to.match(/^rfc2136: 127\.0\.0\.1:1: .*ECONNREFUSED/);
    await close();
  });
});
