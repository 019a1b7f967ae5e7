/** Tests the app with DNS records on a BIND server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, type JsonObject } from '@sluice/base';
import { addressSources, dnsProviders } from '@sluice/contracts';
import { register as registerProviders } from '@sluice/dns.providers';
import { register as registerApp } from '@sluice/dynamic-dns-app';
import { register as registerMatchers } from '@sluice/http.matchers';
import { defineModule, options, type Registry } from '@sluice/registry';
import { hasDnsServer, serve, startDnsServer, type DnsServer, type TestServer } from '@sluice/testing';
import { expect } from 'chai';
import { register as registerSources } from '../src/index.ts';

const zone = 'example.test';

describe('dynamic_dns app', () => {
  let server: DnsServer;
  let running: TestServer | null = null;
  const found: { addresses: string[]; failure: string | null } = { addresses: [], failure: null };
  const logged: string[] = [];

  before(async function () {
    if (!hasDnsServer('bind')) this.skip();
    server = await startDnsServer('bind', { records: ['old IN A 192.0.2.99', 'old IN TXT "kept"'] });
  });
  beforeEach(() => {
    Object.assign(found, { addresses: [], failure: null });
    logged.length = 0;
  });
  afterEach(async () => {
    await running?.close();
    running = null;
  });
  after(() => (server as typeof server | undefined)?.close());

  /** An IP source whose addresses are set by the test. */
  const source = defineModule(addressSources, {
    name: 'test',
    help: 'Addresses of the test.',
    config: options({}),
    provision: () => ({
      addresses: () =>
        found.failure === null ? Promise.resolve(found.addresses) : Promise.reject(new Error(found.failure)),
    }),
  });
  const unable = defineModule(dnsProviders, {
    name: 'unable',
    help: 'A provider that cannot set records.',
    config: options({}),
    provision: () => ({ append: () => Promise.resolve(), remove: () => Promise.resolve() }),
  });

  function config(more: JsonObject = {}): JsonObject {
    const { key, address } = server;
    const provider = { name: 'rfc2136', server: address, key_name: key.name, key_alg: key.algorithm, key: key.secret };
    return {
      apps: {
        dynamic_dns: {
          dns_provider: provider,
          domains: { [zone]: ['@', 'www'] },
          ip_sources: [{ source: 'test' }],
          check_interval: '50ms',
          ttl: '2m',
          ...more,
        },
      },
    };
  }

  async function load(document: JsonObject): Promise<void> {
    if (running !== null) return void (await running.reconciler.load(document));
    const log = createLogger({
      enabled: () => true,
      write: ({ message, fields }) => logged.push(`${message} ${JSON.stringify(fields)}`),
    });
    const modules = (registry: Registry): void => void registry.add(source).add(unable);
    const all = [registerProviders, registerSources, registerMatchers, registerApp, modules];
    running = await serve(document, { register: all, log });
  }

  async function addressesOf(name: string, type: 'A' | 'AAAA' = 'A'): Promise<string[]> {
    const full = name === '@' ? zone : `${name}.${zone}`;
    return ((await server.resolver.resolve(full, type).catch(() => [])) as string[]).sort();
  }

  async function eventually(name: string, expected: readonly string[], type: 'A' | 'AAAA' = 'A'): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      if ((await addressesOf(name, type)).join() === expected.join()) return;
      await sleep(20);
    }
    expect(await addressesOf(name, type), logged.join('\n')).to.deep.equal(expected);
  }

  it('dynamic_dns creates records, and updates them when the addresses change', async () => {
    found.addresses = ['1.2.3.4', '10.0.0.1', '2606:4700::1'];
    await load(config());
    for (const name of ['@', 'www']) {
      await eventually(name, ['1.2.3.4']);
      await eventually(name, ['2606:4700::1'], 'AAAA');
    }
    found.addresses = ['1.2.3.5', '1.2.3.6'];
    await eventually('www', ['1.2.3.5', '1.2.3.6']);
    // The source found no address of this IP version, so the record remains unchanged.
    expect(await addressesOf('www', 'AAAA')).to.deep.equal(['2606:4700::1']);
    expect(logged.filter((line) => line.startsWith('updated DNS records'))).to.have.length(2);
    expect(logged.join('\n')).not.to.include(server.key.secret);
  });

  it('dynamic_dns replaces records that other programs have changed, and keeps records of other types', async () => {
    found.addresses = ['1.2.3.7'];
    await load(config({ domains: { [zone]: ['old'] } }));
    await eventually('old', ['1.2.3.7']);
    expect(await server.resolver.resolveTxt(`old.${zone}`)).to.deep.equal([['kept']]);
  });

  it('dynamic_dns does not create records if update_only is set', async () => {
    found.addresses = ['1.2.3.8', '2606:4700::8'];
    await load(config({ update_only: true, domains: { [zone]: ['old', 'new'] } }));
    await eventually('old', ['1.2.3.8']);
    expect(await addressesOf('old', 'AAAA')).to.deep.equal([]);
    expect(await addressesOf('new')).to.deep.equal([]);
  });

  it('dynamic_dns updates only the enabled IP versions', async () => {
    found.addresses = ['1.2.3.9', '2606:4700::9'];
    await load(config({ versions: { ipv4: false }, domains: { [zone]: ['six'] } }));
    await eventually('six', ['2606:4700::9'], 'AAAA');
    expect(await addressesOf('six')).to.deep.equal([]);
  });

  it('dynamic_dns uses the next source if one source fails, and keeps running after failures', async () => {
    found.failure = 'no route';
    await load(
      config({
        domains: { [zone]: ['fallback'] },
        ip_sources: [{ source: 'test' }, { source: 'static', ips: ['1.2.4.1'] }],
      }),
    );
    await eventually('fallback', ['1.2.4.1']);
    await load(config({ domains: { [zone]: ['later'] } }));
    while (!logged.some((line) => line.startsWith('failed to look up the IP addresses of this machine')))
      await sleep(10);
    Object.assign(found, { failure: null, addresses: ['1.2.4.2'] });
    await eventually('later', ['1.2.4.2']);
  });

  it('dynamic_dns updates the hosts of HTTP routes with dynamic_domains', async () => {
    found.addresses = ['1.2.4.3'];
    const dynamic = config({ dynamic_domains: true, check_interval: '1h', domains: { [zone]: ['base'] } });
    await load(dynamic);
    await eventually('base', ['1.2.4.3']);
    const routes = [{ match: [{ host: [`site.${zone}`, 'elsewhere.test'] }] }];
    await load({ apps: { ...(dynamic['apps'] as JsonObject), http: { servers: { s: { routes } } } } });
    await eventually('site', ['1.2.4.3']);
  });

  it('dynamic_dns reports its state in the admin API', async () => {
    await load({ apps: {} });
    expect((await running?.admin('/dynamic_dns'))?.status).to.equal(404);
    found.failure = 'no route';
    await load(config({ domains: { [zone]: ['@', 'state'] } }));
    const state = async (): Promise<JsonObject> =>
      JSON.parse((await running?.admin('/dynamic_dns'))?.text ?? '{}') as JsonObject;
    while ((await state())['last_error'] === null) await sleep(10);
    expect(await state()).to.deep.include({
      addresses: [],
      names: [zone, `state.${zone}`],
      last_error: 'no route',
    });
    Object.assign(found, { failure: null, addresses: ['1.2.4.5'] });
    while ((await state())['last_error'] !== null) await sleep(10);
    expect(await state()).to.deep.include({ addresses: ['1.2.4.5'] });
  });

  it('dynamic_dns rejects invalid options', async () => {
    for (const [more, message] of [
      [{ dns_provider: { name: 'unable' } }, 'apps.dynamic_dns.dns_provider: this provider cannot set records'],
      [{ versions: { ipv4: false, ipv6: false } }, 'apps.dynamic_dns.versions: all IP versions are disabled'],
      [{ include: ['x'] }, 'apps.dynamic_dns.include: '],
      [
        { ip_sources: [{ source: 'static', ips: ['x'] }] },
        'apps.dynamic_dns.ip_sources[0].ips[0]: "x" is not an IP address',
      ],
    ] as const) {
      const failure = await load(config(more as JsonObject)).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      expect(failure).to.include(message);
    }
  });
});
