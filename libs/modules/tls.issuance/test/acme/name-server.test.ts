/** Tests DNS lookups for challenges against BIND and against servers that do not exist. */
import { expect } from 'chai';
import { hasDnsServer, NameServer, startDnsServer, type DnsServer } from '@sluice/testing';
import {
  authoritativeServers,
  delegatedName,
  resolverOf,
  withoutRecord,
  zoneOf,
} from '../../src/acme/challenges/name-server.ts';

const records = [
  '@ IN NS ns2.example.test.',
  'ns2 IN A 127.0.0.2',
  '_acme-challenge.a IN CNAME one.example.test.',
  'one IN CNAME Two.example.test.',
  '_acme-challenge.away IN CNAME a.other.test.',
  '*.wild IN CNAME www.example.test.',
  '_acme-challenge.loop IN CNAME _acme-challenge.loop.example.test.',
  'text IN TXT "here"',
];

const isHere = (value: string): boolean => value === 'here';

describe('DNS lookups for challenges', () => {
  let server: DnsServer;
  before(async function () {
    if (!hasDnsServer('bind')) this.skip();
    server = await startDnsServer('bind', { records });
  });
  after(() => (server as typeof server | undefined)?.close());

  const port = (): number => Number(server.address.split(':')[1]);

  it('zoneOf returns the nearest parent with an SOA record', async () => {
    expect(await zoneOf(server.resolver, '_acme-challenge.a.b.example.test')).to.equal('example.test.');
    expect(await zoneOf(server.resolver, 'example.test')).to.equal('example.test.');
  });

  it('delegatedName follows CNAME records, even to another zone', async () => {
    expect(await delegatedName(server.resolver, '_acme-challenge.b.example.test')).to.equal(
      '_acme-challenge.b.example.test',
    );
    expect(await delegatedName(server.resolver, '_acme-challenge.a.example.test')).to.equal('two.example.test');
    expect(await delegatedName(server.resolver, '_acme-challenge.away.example.test')).to.equal('a.other.test');
  });

  it('delegatedName does not follow a wildcard CNAME record', async () => {
    const name = '_acme-challenge.wild.example.test';
    expect(await server.resolver.resolveCname(name)).to.deep.equal(['www.example.test']);
    expect(await delegatedName(server.resolver, name)).to.equal(name);
  });

  it('delegatedName rejects a loop of CNAME records', async () => {
    const name = '_acme-challenge.loop.example.test';
    const failure = await delegatedName(server.resolver, name).catch((error: unknown) => error);
    expect(failure).to.have.property('message', `${name} has a chain of more than 8 CNAME records`);
  });

  it('awaitRecord requires the record on all authoritative servers that respond', async () => {
    const servers = await authoritativeServers(server.resolver, 'example.test.', port());
    expect(servers.map(({ name }) => name).sort()).to.deep.equal(['ns1.example.test', 'ns2.example.test']);
    const wanted = { name: 'text.example.test', type: 'TXT', accepts: isHere } as const;
    // No DNS server listens on 127.0.0.2.
    expect(await withoutRecord(servers, wanted)).to.deep.equal({ missing: [], silent: false });
    const { missing, silent } = await withoutRecord(servers, { ...wanted, accepts: () => false });
    expect({ missing: missing.length, silent }).to.deep.equal({ missing: 2, silent: false });
  });

  it('awaitRecord waits if one of the authoritative servers does not have the record', async () => {
    const other = new NameServer();
    await other.start();
    try {
      const servers = [
        { name: 'ns1', server: server.resolver },
        { name: 'ns2', server: resolverOf([other.address]) },
      ];
      const wanted = { name: 'text.example.test', type: 'TXT', accepts: isHere } as const;
      const { missing } = await withoutRecord(servers, wanted);
      expect(missing.map(({ name }) => name)).to.deep.equal(['ns2']);
      other.texts.set('text.example.test', ['there', 'here']);
      expect(await withoutRecord(servers, wanted)).to.deep.equal({ missing: [], silent: false });
    } finally {
      other.close();
    }
  });

  it('withoutRecord marks unresponsive servers as silent', async () => {
    const servers = [{ name: 'nowhere', server: resolverOf(['127.0.0.3:1']) }];
    const { missing, silent } = await withoutRecord(servers, {
      name: 'text.example.test',
      type: 'TXT',
      accepts: isHere,
    });
    expect({ missing, silent }).to.deep.equal({ missing: servers, silent: true });
  });

  it('authoritativeServers returns the resolver itself if a zone has no servers', async () => {
    const [only] = await authoritativeServers(server.resolver, 'other.test.', port());
    expect(only?.server).to.equal(server.resolver);
  });
});
