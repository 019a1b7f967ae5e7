/** Tests duckdns, acmedns and exec. These providers have neither records with IDs nor record sets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import type { Token } from '@sluice/registry';
import { NameServer, provision, refusal, type Provisioned } from '@sluice/testing';
import { apiTransportToken, type ApiTransport } from '../src/common/transport.ts';
import { register } from '../src/index.ts';
import { startFake, type FakeApi, type FakeRequest } from './support/fake-api.ts';

const soon = (): AbortSignal => AbortSignal.timeout(10_000);
const text = (name: string, value: string): DnsRecord => ({ name, type: 'TXT', value, ttl: 60_000 });
const settings = { register: [register], key: 'name' };
const secret = 'secret-of-the-test';

function made(config: JsonObject, transport: ApiTransport): Promise<Provisioned<DnsProvider>> {
  const services = new Map<Token<unknown>, unknown>([[apiTransportToken, transport]]);
  return provision(dnsProviders, config, { ...settings, services });
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('dns.providers.duckdns', () => {
  let api: FakeApi;
  const updates: Record<string, string>[] = [];
  before(async () => {
    // https://www.duckdns.org/spec.jsp
    api = await startFake(({ host, path, query }) => {
      if (host !== 'https://www.duckdns.org' || path !== '/update') return [404];
      if (query['token'] !== secret || !/^(?:example|other)\.duckdns\.org$/.test(query['domains'] ?? ''))
        return [200, 'KO'];
      updates.push({ ...query });
      return [200, 'OK'];
    });
  });
  beforeEach(() => void (updates.length = 0));
  after(() => api.close());

  it('duckdns sets and clears the record of the domain', async () => {
    const { instance, close } = await made({ name: 'duckdns', api_token: secret }, api.transport);
    const record = text('_acme-challenge.www', 'value');
    await instance.append('example.duckdns.org.', [record], soon());
    await instance.remove('example.duckdns.org.', [record], soon());
    await instance.set?.('example.duckdns.org.', [{ name: '@', type: 'A', value: '192.0.2.1', ttl: 0 }], soon());
    await instance.set?.('example.duckdns.org.', [{ name: '@', type: 'AAAA', value: '2001:db8::1', ttl: 0 }], soon());
    await close();
    const domains = 'example.duckdns.org';
    expect(updates).to.deep.equal([
      { domains, token: secret, txt: 'value' },
      { domains, token: secret, txt: 'value', clear: 'true' },
      { domains, token: secret, ip: '192.0.2.1' },
      { domains, token: secret, ipv6: '2001:db8::1' },
    ]);
  });

  it('duckdns serializes the challenges of one domain', async () => {
    const { instance, close } = await made({ name: 'duckdns', api_token: secret }, api.transport);
    const zone = 'example.duckdns.org.';
    await instance.append(zone, [text('_acme-challenge', 'one')], soon());
    const second = instance.append(zone, [text('_acme-challenge', 'two')], soon());
    const third = failureOf(instance.append(zone, [text('_acme-challenge', 'three')], AbortSignal.timeout(50)));
    expect(await third).to.include('timeout');
    expect(updates.map(({ txt, clear }) => [txt, clear])).to.deep.equal([['one', undefined]]);
    await instance.remove(zone, [text('_acme-challenge', 'one')], soon());
    await second;
    await instance.remove(zone, [text('_acme-challenge', 'two')], soon());
    await close();
    expect(updates.map(({ txt, clear }) => [txt, clear])).to.deep.equal([
      ['one', undefined],
      ['one', 'true'],
      ['two', undefined],
      ['two', 'true'],
    ]);
  });

  it('duckdns updates override_domain instead of the domain of the record', async () => {
    const config = { name: 'duckdns', api_token: secret, override_domain: 'other.duckdns.org' };
    const { instance, close } = await made(config, api.transport);
    await instance.append('example.com.', [text('_acme-challenge', 'value')], soon());
    await close();
    expect(updates).to.deep.equal([{ domains: 'other.duckdns.org', token: secret, txt: 'value' }]);
  });

  it('duckdns looks up records through the configured resolver', async () => {
    const server = new NameServer();
    await server.start();
    server.texts.set('example.duckdns.org', ['challenge']);
    const { instance, close } = await made(
      { name: 'duckdns', api_token: secret, resolver: server.address },
      api.transport,
    );
    const found = await instance.get?.('example.duckdns.org.', soon());
    await close();
    server.close();
    expect(found).to.deep.equal([
      { name: '@', type: 'A', value: '127.0.0.1', ttl: 0 },
      { name: '@', type: 'TXT', value: 'challenge', ttl: 0 },
    ]);
  });

  it('duckdns reports rejected updates without revealing the token', async () => {
    const { instance, close } = await made({ name: 'duckdns', api_token: 'other-token' }, api.transport);
    const rejected = await failureOf(instance.append('example.duckdns.org.', [text('@', 'value')], soon()));
    await close();
    expect(rejected).to.equal(
      'duckdns: the update of example.duckdns.org was rejected; check the token, and that the domain is registered with Duck DNS',
    );
    const away = await made({ name: 'duckdns', api_token: 'other-token' }, ({ url }) =>
      Promise.reject(new Error(`connect ECONNREFUSED for ${url}`)),
    );
    const unavailable = await failureOf(away.instance.append('example.duckdns.org.', [text('@', 'value')], soon()));
    await away.close();
    expect(unavailable).to.include('duckdns: GET /update: connect ECONNREFUSED').and.not.to.include('other-token');
  });
});

describe('dns.providers.acmedns', () => {
  let api: FakeApi;
  let folder: string;
  const updates: [user: unknown, body: string][] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-acmedns-'));
    // https://github.com/joohoi/acme-dns#update-endpoint
    api = await startFake(({ host, path, method, headers, body }: FakeRequest) => {
      if (host !== 'https://auth.example.org' || path !== '/update' || method !== 'POST') return [404];
      if (headers['x-api-key'] !== secret) return [401, { error: 'forbidden' }];
      updates.push([headers['x-api-user'], body]);
      return [200, { txt: (JSON.parse(body) as { txt: string }).txt }];
    });
  });
  beforeEach(() => void (updates.length = 0));
  after(async () => {
    rmSync(folder, { recursive: true });
    await api.close();
  });

  const account = (name: string): JsonObject => ({
    username: name,
    password: secret,
    subdomain: `${name}-sub`,
    server_url: 'https://auth.example.org',
  });
  const several = { 'a.example.com': account('a'), 'b.example.com': account('b') };

  async function updatesWith(config: JsonObject): Promise<unknown[]> {
    updates.length = 0;
    const { instance, close } = await made({ name: 'acmedns', ...config }, api.transport);
    await instance.append('example.com.', [text('_acme-challenge.a', 'one')], soon());
    await instance
      .append('auth.example.org.', [text('b-sub', 'two')], soon())
      .catch((error: Error) => updates.push([error.message, '']));
    await instance.remove('example.com.', [text('_acme-challenge.a', 'one')], soon());
    await close();
    return updates.map(([user, body]) => [user, body]);
  }

  it('acmedns updates the record of its account', async () => {
    expect(await updatesWith(account('a'))).to.deep.equal([
      ['a', '{"subdomain":"a-sub","txt":"one"}'],
      ['a', '{"subdomain":"a-sub","txt":"two"}'],
    ]);
  });

  it('acmedns selects the account by domain, or by the record to which the challenge is delegated', async () => {
    const expected = [
      ['a', '{"subdomain":"a-sub","txt":"one"}'],
      ['b', '{"subdomain":"b-sub","txt":"two"}'],
    ];
    expect(await updatesWith({ config: several })).to.deep.equal(expected);
    const file = join(folder, 'several.json');
    writeFileSync(file, JSON.stringify(several));
    expect(await updatesWith({ config_file_path: file })).to.deep.equal(expected);
  });

  it('acmedns reads a single account from a file', async () => {
    const file = join(folder, 'single.json');
    writeFileSync(file, JSON.stringify(account('c')));
    expect(await updatesWith({ config_file_path: file })).to.have.length(2);
  });

  it('acmedns reports missing accounts and rejected passwords', async () => {
    const { instance, close } = await made(
      { name: 'acmedns', config: { 'a.example.com': account('a') } },
      api.transport,
    );
    expect(await failureOf(instance.append('example.com.', [text('_acme-challenge.c', 'x')], soon()))).to.equal(
      'acmedns: no account is configured for c.example.com',
    );
    await close();
    const other = await made({ name: 'acmedns', ...account('a'), password: 'other-password' }, api.transport);
    expect(await failureOf(other.instance.append('example.com.', [text('_acme-challenge', 'x')], soon()))).to.equal(
      'acmedns: POST /update: 401 forbidden',
    );
    await other.close();
    expect(await refusal(dnsProviders, { name: 'acmedns', username: 'a' }, settings)).to.include(
      'apps.host.module.server_url: is required',
    );
    expect(
      await refusal(dnsProviders, { name: 'acmedns', config_file_path: join(folder, 'none') }, settings),
    ).to.include('apps.host.module.config_file_path: ENOENT');
  });
});

describe('dns.providers.exec', () => {
  let folder: string;
  let program: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-exec-'));
    program = join(folder, 'change.mjs');
    writeFileSync(
      program,
      `import { readFileSync, writeFileSync } from 'node:fs';
const [file, action, zone] = process.argv.slice(2);
const given = JSON.parse(readFileSync(0, 'utf8'));
let known = [];
try { known = JSON.parse(readFileSync(file, 'utf8')); } catch {}
const same = (a) => (b) => a.name === b.name && a.type === b.type && (action === 'set' || a.value === b.value);
const others = known.filter((each) => !given.some(same(each)));
if (zone === 'fails.test.') { console.error('first line\\nthe zone is locked'); process.exit(3); }
if (zone === 'hangs.test.') setInterval(() => {}, 1000);
else if (action === 'get') console.log(JSON.stringify(known));
else writeFileSync(file, JSON.stringify(action === 'remove' ? others : [...others, ...given]));
`,
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const config = (more: JsonObject = {}): JsonObject => ({
    name: 'exec',
    command: process.execPath,
    args: [program, join(folder, 'records.json')],
    ...more,
  });

  it('the exec DNS provider appends, sets, lists and removes records with a program', async () => {
    const { instance, close } = await provision(dnsProviders, config(), settings);
    await instance.append('example.com.', [text('a', 'one'), text('b', 'two')], soon());
    await instance.set?.('example.com.', [text('a', 'three')], soon());
    await instance.remove('example.com.', [text('b', 'two')], soon());
    expect(await instance.get?.('example.com.', soon())).to.deep.equal([text('a', 'three')]);
    await close();
  });

  it('the exec DNS provider reports the last line of standard error, a missing program, or a timeout', async () => {
    const { instance, close } = await provision(dnsProviders, config({ timeout: '300ms' }), settings);
    expect(await failureOf(instance.append('fails.test.', [text('a', 'x')], soon()))).to.match(
      /append: the zone is locked$/,
    );
    expect(await failureOf(instance.append('hangs.test.', [text('a', 'x')], soon()))).to.match(
      /timed out after 300 ms$/,
    );
    await close();
    const missing = await provision(dnsProviders, config({ command: join(folder, 'none') }), settings);
    expect(await failureOf(missing.instance.append('a.test.', [text('a', 'x')], soon()))).to.match(/append: ENOENT$/);
    await missing.close();
    expect(await refusal(dnsProviders, { name: 'exec' }, settings)).to.include('apps.host.module.command: is required');
  });
});
