/** Tests the `acme` issuer against Pebble. Pebble randomly rejects a fifth of the nonces. */
import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { hasPebble, MemoryStorage, startPebble, type Pebble } from '@sluice/testing';
import { namesOf, orderFor, provisionIssuer, type Bench, type BenchOptions } from './support.ts';

const macKey = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';

describe('tls.issuance.acme and pebble', () => {
  let pebble: Pebble;
  const benches: Bench[] = [];

  before(async function () {
    if (!hasPebble) this.skip();
    pebble = await startPebble({}, { PEBBLE_ALTERNATE_ROOTS: '1', PEBBLE_AUTHZREUSE: '0' });
  });
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close();
  });
  after(() => (pebble as Pebble | undefined)?.close());

  const challenges = (only?: 'http' | 'tls-alpn'): JsonObject => ({
    http: { alternate_port: pebble.httpPort, disabled: only === 'tls-alpn' },
    'tls-alpn': { alternate_port: pebble.tlsPort, disabled: only === 'http' },
  });

  async function issuer(more: JsonObject = {}, given: BenchOptions = {}, of: Pebble = pebble): Promise<Bench> {
    const bench = await provisionIssuer(
      {
        module: 'acme',
        ca: of.directory,
        trusted_roots_pem_files: [of.rootFile],
        challenges: challenges(),
        ...more,
      },
      given,
    );
    benches.push(bench);
    return bench;
  }

  for (const [only, put] of [
    ['http', 'http a.sluice.test'],
    ['tls-alpn', 'tls-alpn a.sluice.test'],
  ] as const)
    it(`the acme issuer obtains and revokes a certificate with the ${only} challenge`, async () => {
      const { issuer: acme, board, storage } = await issuer({ challenges: challenges(only), email: 'Me@Sluice.test' });
      const { chain, data } = await acme.issue(await orderFor(['a.sluice.test']));
      expect(namesOf(chain)).to.equal('DNS:a.sluice.test');
      expect(chain.match(/BEGIN CERTIFICATE/g)).to.have.length(2);
      expect(data).to.have.all.keys('url', 'ca', 'account');
      expect(board).to.deep.include({ put: [put], up: 0 });
      const folder = `acme/${acme.storageKey}/users/me@sluice.test`;
      expect([...storage.values.keys()].sort()).to.deep.equal([`${folder}/me.json`, `${folder}/me.key`]);
      await acme.revoke?.(chain, 4, AbortSignal.timeout(10_000));
      const again = acme.revoke?.(chain, 4, AbortSignal.timeout(10_000)) ?? Promise.resolve();
      expect(await messageOf(again)).to.match(/^alreadyRevoked/);
    }).timeout(20_000);

  it('the acme issuer obtains a certificate for several names and an IP address', async () => {
    const { issuer: acme } = await issuer({ challenges: challenges('http') });
    const { chain } = await acme.issue(await orderFor(['b.sluice.test', 'c.sluice.test', '127.0.0.1']));
    expect(namesOf(chain)).to.equal('DNS:b.sluice.test, DNS:c.sluice.test, IP Address:127.0.0.1');
  }).timeout(20_000);

  it('the acme issuer obtains a wildcard certificate with a DNS record and removes the record', async () => {
    const { names } = pebble;
    const dns = { provider: { name: 'test' }, resolvers: [names.address] };
    const { issuer: acme } = await issuer({ challenges: { dns } }, { dns: names });
    const { chain } = await acme.issue(await orderFor(['*.sluice.test']));
    expect(namesOf(chain)).to.equal('DNS:*.sluice.test');
    expect(names.texts.size).to.equal(0);
  }).timeout(20_000);

  it('the acme issuer tries another challenge type if one type fails', async () => {
    const wrong = { ...challenges(), http: { alternate_port: pebble.tlsPort + 1 } };
    const { issuer: acme, board, logged } = await issuer({ challenges: wrong });
    const { chain } = await acme.issue(await orderFor(['d.sluice.test']));
    expect(namesOf(chain)).to.equal('DNS:d.sluice.test');
    expect(board.put).to.deep.equal(['http d.sluice.test', 'tls-alpn d.sluice.test']);
    expect(logged).to.include('challenge failed; trying another type');
  }).timeout(20_000);

  it('the acme issuer reports the error of the CA if all challenges fail', async () => {
    const { issuer: acme, board } = await issuer({
      challenges: { http: { alternate_port: 1 }, 'tls-alpn': { disabled: true } },
    });
    const error = await messageOf(acme.issue(await orderFor(['e.sluice.test'])));
    expect(error).to.match(/^connection \(e\.sluice\.test\): .*refused/i);
    expect(board.up).to.equal(0);
  }).timeout(20_000);

  it('the acme issuer uses one account for concurrent orders', async () => {
    const { issuer: acme } = await issuer({ challenges: challenges('tls-alpn') });
    const orders = await Promise.all(['f.sluice.test', 'ff.sluice.test'].map((name) => orderFor([name])));
    const issued = await Promise.all(orders.map((order) => acme.issue(order)));
    const accounts = new Set(issued.map(({ data }) => (data as { account: string }).account));
    expect(accounts.size).to.equal(1);
  }).timeout(20_000);

  it('the acme issuer uses the stored account, and registers a new account if the CA has lost the stored account', async () => {
    const lost = await startPebble();
    try {
      const ports = { http: { alternate_port: lost.httpPort }, 'tls-alpn': { disabled: true } };
      const { issuer: acme, storage } = await issuer({ challenges: ports }, {}, lost);
      const first = await acme.issue(await orderFor(['g.sluice.test']));
      const key = [...storage.values].find(([name]) => name.endsWith('.key'));
      const second = await acme.issue(await orderFor(['g.sluice.test']));
      expect(second.data).to.have.property('account', (first.data as { account: string }).account);
      await lost.restart();
      const third = await acme.issue(await orderFor(['g.sluice.test']));
      expect(namesOf(third.chain)).to.equal('DNS:g.sluice.test');
      expect([...storage.values].find(([name]) => name.endsWith('.key'))).to.deep.equal(key);
    } finally {
      await lost.close();
    }
  }).timeout(30_000);

  it('the acme issuer finds an existing account by its key', async () => {
    const first = await issuer({ challenges: challenges('http') });
    const { data } = await first.issuer.issue(await orderFor(['h.sluice.test']));
    const [, key] = [...first.storage.values].find(([name]) => name.endsWith('.key')) ?? [];
    const second = await issuer({ challenges: challenges('http'), account_key: key ?? '' });
    const again = await second.issuer.issue(await orderFor(['h.sluice.test']));
    expect(again.data).to.have.property('account', (data as { account: string }).account);
    expect(second.storage.values.size).to.equal(0);
  }).timeout(20_000);

  it('the acme issuer supports external account binding and reports a missing binding', async () => {
    const settings = { externalAccountBindingRequired: true, externalAccountMACKeys: { 'kid-1': macKey } };
    const strict = await startPebble(settings);
    try {
      const ports = { http: { alternate_port: strict.httpPort }, 'tls-alpn': { disabled: true } };
      const without = await issuer({ challenges: ports }, {}, strict);
      expect(await messageOf(without.issuer.issue(await orderFor(['i.sluice.test'])))).to.match(
        /requires external account binding/,
      );
      const external_account = { key_id: 'kid-1', mac_key: macKey };
      const { issuer: acme } = await issuer({ challenges: ports, external_account }, {}, strict);
      expect(namesOf((await acme.issue(await orderFor(['i.sluice.test']))).chain)).to.equal('DNS:i.sluice.test');
    } finally {
      await strict.close();
    }
  }).timeout(30_000);

  it('the acme issuer selects the preferred chain', async () => {
    const roots = new Set<string>();
    // Pebble selects its first chain randomly at startup. The names of its roots differ only in a number.
    for (const any_common_name of [[], [pebble.roots[0] ?? ''], [pebble.roots[1] ?? '']]) {
      const { issuer: acme } = await issuer({ challenges: challenges('http'), preferred_chains: { any_common_name } });
      const { chain } = await acme.issue(await orderFor(['j.sluice.test']));
      if (any_common_name.length > 0) roots.add(rootOf(chain));
    }
    expect([...roots]).to.deep.equal(pebble.roots);
  }).timeout(30_000);

  it('the acme issuer tries the test CA first after a failure', async () => {
    const more = { challenges: challenges('http'), test_ca: pebble.directory };
    const { issuer: acme, board } = await issuer(more);
    await acme.issue(await orderFor(['k.sluice.test'], { attempt: 1 }));
    expect(board.put).to.have.length(2);
    await acme.issue(await orderFor(['k.sluice.test']));
    expect(board.put).to.have.length(3);
  }).timeout(30_000);

  it('the acme issuer leaves storage usable when it is interrupted at any point', async () => {
    const accounts = new Set<unknown>();
    for (let crash = 1; crash < 10; crash++) {
      const interrupted = new MemoryStorage(new Map());
      interrupted.beforeWrite = (count) => {
        if (count >= crash) throw new Error('crash');
      };
      const before = await issuer({ challenges: challenges('http') }, { storage: interrupted });
      const failure = await messageOf(before.issuer.issue(await orderFor(['l.sluice.test'])));
      interrupted.beforeWrite = () => {};
      const after = await issuer(
        { challenges: challenges('http') },
        { storage: new MemoryStorage(interrupted.values) },
      );
      const { chain, data } = await after.issuer.issue(await orderFor(['l.sluice.test']));
      expect(namesOf(chain)).to.equal('DNS:l.sluice.test');
      accounts.add((data as { account: string }).account);
      if (failure === '') break;
      expect(failure).to.equal('crash');
    }
    // There are four runs. Three are interrupted before the key, the account or the challenge is stored, and the last run is not
    // interrupted.
    expect(accounts.size).to.equal(4);
  }).timeout(60_000);

  it('the acme issuer reports unreadable storage items and continues', async () => {
    const first = await issuer({ challenges: challenges('http') });
    await first.issuer.issue(await orderFor(['m.sluice.test']));
    for (const end of ['.json', '.key']) {
      const storage = new MemoryStorage(new Map(first.storage.values));
      for (const key of storage.values.keys()) if (key.endsWith(end)) storage.values.set(key, '');
      const { issuer: acme, logged } = await issuer({ challenges: challenges('http') }, { storage });
      expect(namesOf((await acme.issue(await orderFor(['m.sluice.test']))).chain)).to.equal('DNS:m.sluice.test');
      expect(logged).to.include('stored ACME account is unusable; creating a new one');
    }
  }).timeout(30_000);
});

/** Returns the message of a rejection, or an empty string if the promise does not reject. */
async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns the common name of the root certificate of a chain. */
function rootOf(chain: string): string {
  const last = chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)?.at(-1) ?? '';
  return /CN=(.*)/.exec(new X509Certificate(last).issuer)?.[1] ?? '';
}
