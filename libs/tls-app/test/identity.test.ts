import { X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { expect } from 'chai';
import { apps, defineModule, json, options, Registry } from '@sluice/registry';
import { Runtime, storageSection } from '@sluice/reconciler';
import { silentLogger, type Json, type JsonObject } from '@sluice/base';
import { storages, type ServerIdentity } from '@sluice/contracts';
import { MemoryStorage } from '@sluice/testing';
import { issuers, register } from '@sluice/tls-app';
import { provisionIdentity } from '@sluice/tls-app/identity';
import { TestAuthority, until } from './support.ts';

/** A runtime with an app `host` that has the option `identity`, like the `admin` section. */
class Host {
  readonly orders: string[] = [];
  identity: ServerIdentity | null = null;
  failing = false;
  lifetime = 86_400_000;
  readonly runtime: Runtime;

  constructor(authority: TestAuthority, storage = new MemoryStorage()) {
    const registry = new Registry().addSection(storageSection).use(register);
    registry.add(
      defineModule(issuers, {
        name: 'test',
        help: 'Signs.',
        config: options({}),
        provision: () => ({
          storageKey: 'test',
          issue: async ({ csr, names }) => {
            this.orders.push(names.join(' '));
            if (this.failing) throw new Error('not today');
            const key = await new Pkcs10CertificateRequest(new Uint8Array(csr)).publicKey.export();
            return {
              chain: await authority.sign(key, names, { lifetime: this.lifetime, notBefore: Date.now() - 100 }),
            };
          },
        }),
      }),
    );
    registry.add(
      defineModule(storages, { name: 'memory', help: 'A map.', config: options({}), provision: () => storage }),
    );
    registry.add(
      defineModule(apps, {
        name: 'host',
        help: 'Has an identity.',
        config: options({ identity: json('It.') }),
        provision: async (config, context) => {
          this.identity = await context.structure(config.identity as JsonObject, provisionIdentity, 'identity');
          return {};
        },
      }),
    );
    this.runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger });
  }

  async load(identity: Json): Promise<void> {
    this.runtime.commit(await this.runtime.prepare({ storage: { module: 'memory' }, apps: { host: { identity } } }));
  }

  async namesOf(name?: string): Promise<string | undefined> {
    const pair = await this.identity?.certificate(name);
    return new X509Certificate(pair?.cert ?? '').subjectAltName;
  }
}

const identityOf = (...identifiers: readonly string[]): Json => ({ identifiers, issuers: [{ module: 'test' }] });

describe('admin.identity', () => {
  let authority: TestAuthority;
  let storage: MemoryStorage;
  const hosts: Host[] = [];
  const start = (): Host => {
    const host = new Host(authority, storage);
    hosts.push(host);
    return host;
  };

  before(async () => {
    authority = await TestAuthority.make();
  });

  beforeEach(() => {
    storage = new MemoryStorage();
  });

  afterEach(() => Promise.all(hosts.splice(0).map(({ runtime }) => runtime.close())));

  it('admin.identity provides a certificate for each identifier, and uses the first certificate for other names', async () => {
    const host = start();
    await host.load(identityOf('a.test', 'B.test'));
    expect(await host.namesOf('b.test')).to.equal('DNS:b.test');
    expect(await host.namesOf()).to.equal('DNS:a.test');
    expect(await host.namesOf('c.test')).to.equal('DNS:a.test');
    expect(host.orders.toSorted()).to.deep.equal(['a.test', 'b.test']);
  });

  it('admin.identity loads its certificates from storage', async () => {
    const first = start();
    await first.load(identityOf('a.test'));
    const pair = await first.identity?.certificate();
    const second = start();
    await second.load(identityOf('a.test'));
    expect(await second.identity?.certificate()).to.deep.equal(pair);
    expect(second.orders).to.deep.equal([]);
  });

  it('admin.identity renews certificates before they expire, and reports renewals', async () => {
    const host = start();
    host.lifetime = 1_500;
    await host.load(identityOf('a.test'));
    const before = await host.identity?.certificate();
    let changes = 0;
    host.identity?.onChange(() => changes++);
    await until(() => changes > 0);
    expect((await host.identity?.certificate())?.cert).to.not.equal(before?.cert);
    expect(new Set(host.orders)).to.deep.equal(new Set(['a.test']));
  });

  it('admin.identity reports why there is no certificate', async () => {
    const host = start();
    host.failing = true;
    await host.load(identityOf('a.test'));
    const error = await host.identity?.certificate().catch((it: unknown) => it);
    expect(String(error)).to.contain('no certificate for a.test yet').and.to.contain('not today');
    await host.load({});
    expect(String(await host.identity?.certificate().catch((it: unknown) => it))).to.contain('no identifiers');
  });

  it('admin.identity stops when it is no longer needed', async () => {
    const host = start();
    host.lifetime = 600;
    await host.load(identityOf('a.test'));
    await host.identity?.certificate();
    await host.load({});
    const count = host.orders.length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(host.orders.length).to.equal(count);
  });

  it('admin.identity rejects invalid names and unknown issuers and reports their paths', async () => {
    const host = start();
    const errorOf = (identity: Json): Promise<unknown> => host.load(identity).catch((it: unknown) => it);
    expect(String(await errorOf(identityOf('a.test', 'b test')))).to.contain('apps.host.identity.identifiers[1]');
    const unknown = await errorOf({ identifiers: ['a.test'], issuers: [{ module: 'nope' }] });
    expect(String(unknown)).to.contain('apps.host.identity.issuers[0]: unknown module: tls.issuance.nope');
  });
});
