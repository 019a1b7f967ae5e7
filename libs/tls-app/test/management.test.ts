import { X509Certificate } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import { NameSet, tlsApp, type WantedCertificates } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { MemoryStorage } from '@sluice/testing';
import type { ThreadTls } from '../src/thread-tls.ts';
import { Bench, shakeHands, TestAuthority, until } from './support.ts';

const day = 86_400_000;
const tlsOf = (bench: Bench): ThreadTls => bench.runtime.app(tlsApp) as ThreadTls;
const policy = (more: Record<string, Json>): Json => ({
  automation: { policies: [{ issuers: [{ module: 'internal' }], ...more }] },
});
const automate = (names: readonly string[], more: Record<string, Json> = {}): Json => ({
  certificates: { automate: names },
  ...(policy(more) as object),
});

/** Waits for a condition while the mocked clock stands still. */
async function untilTick(holds: () => boolean): Promise<void> {
  const end = performance.now() + 4000;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('managed certificates', () => {
  let authority: TestAuthority;
  const open: Bench[] = [];
  const start = async (tls: Json, storage?: MemoryStorage): Promise<Bench> => {
    const bench = new Bench(authority, storage);
    open.push(bench);
    await bench.load(tls);
    return bench;
  };
  /** Returns the storage keys of certificates that are stored completely. */
  const stored = (bench: Bench): string[] => {
    const keys = [...bench.storage.values.keys()].filter((key) => key.startsWith('certificates/'));
    return keys.some((key) => key.endsWith('.new')) ? [] : keys;
  };
  const has = (bench: Bench, key: string): boolean => bench.storage.values.has(key);
  before(async () => {
    authority = await TestAuthority.make();
  });
  afterEach(() => Promise.all(open.splice(0).map((bench) => bench.close())));

  it("managed certificates are obtained and stored in Caddy's layout", async () => {
    const bench = await start(automate(['a.test', '*.b.test', '::1']));
    const port = await bench.listen();
    await until(() => stored(bench).length === 9);
    const keys = [...bench.storage.values.keys()].sort();
    expect(keys.filter((key) => key.endsWith('.crt'))).to.deep.equal([
      'certificates/internal/--1/--1.crt',
      'certificates/internal/a.test/a.test.crt',
      'certificates/internal/wildcard_.b.test/wildcard_.b.test.crt',
    ]);
    const meta = JSON.parse(bench.storage.values.get('certificates/internal/a.test/a.test.json') ?? '') as Json;
    expect(meta).to.deep.equal({ sans: ['a.test'], issuer_data: { by: 'internal' } });
    expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
    expect((await shakeHands(port, 'x.b.test')).names).to.equal('DNS:*.b.test');
  });

  // Attack in docs/security.md: The clock is set back after a failed attempt to obtain a certificate.
  it('managed certificates that could not be obtained are requested again even if the clock is set back after the failure', async () => {
    const storage = new MemoryStorage();
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 365 * day });
    try {
      const ahead = new Bench(authority, storage);
      open.push(ahead);
      ahead.failing.add('internal');
      await ahead.load(automate(['a.test']));
      await untilTick(() => [...storage.values.keys()].some((key) => key.startsWith('certificate_attempts/')));
      await ahead.close();
    } finally {
      mock.timers.reset();
    }
    const bench = await start(automate(['a.test']), storage);
    await until(() => stored(bench).length === 3);
  });

  // Attack in docs/security.md: The clock jumps twenty years ahead and back.
  it('managed certificates that were issued while the clock was ahead are replaced, both at startup and while serving', async () => {
    const storage = new MemoryStorage();
    const validFrom = (values: MemoryStorage): number =>
      Date.parse(new X509Certificate(values.values.get('certificates/internal/a.test/a.test.crt') ?? '').validFrom);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 20 * 365 * day });
    let ahead: Bench;
    try {
      ahead = new Bench(authority, storage);
      open.push(ahead);
      await ahead.load(automate(['a.test']));
      await untilTick(() => stored(ahead).length === 3);
      expect(validFrom(storage)).to.be.greaterThan(Date.now() - day);
    } finally {
      mock.timers.reset();
    }
    expect(validFrom(storage)).to.be.greaterThan(Date.now() + day);
    // At the next handshake, the running server detects that the certificate was issued while the clock was ahead.
    const port = await ahead.listen();
    await shakeHands(port, 'a.test');
    await until(() => ahead.orders.length === 2);
    await until(() => stored(ahead).length === 3 && validFrom(storage) <= Date.now());
    await ahead.close();
    // At startup, the next server finds the stored certificate.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 20 * 365 * day });
    const other = new MemoryStorage();
    try {
      const late = new Bench(authority, other);
      open.push(late);
      await late.load(automate(['a.test']));
      await untilTick(() => stored(late).length === 3);
      await late.close();
    } finally {
      mock.timers.reset();
    }
    const bench = await start(automate(['a.test']), other);
    await until(() => bench.orders.length === 1 && stored(bench).length === 3 && validFrom(other) <= Date.now());
  });

  it('a handshake waits for a managed certificate that is being obtained', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    const port = await bench.listen();
    await bench.load(automate(['a.test']));
    expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
  });

  it('managed certificates are loaded from storage instead of being ordered', async () => {
    const first = await start(automate(['a.test']));
    await until(() => has(first, 'certificates/internal/a.test/a.test.json'));
    const second = await start(automate(['a.test']), first.storage);
    const port = await second.listen();
    expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
    expect(second.orders).to.deep.equal([]);
  });

  const damages: readonly [string, (values: Map<string, string>, other: string) => void, string][] = [
    [
      'an empty certificate',
      (values) => values.set('certificates/internal/a.test/a.test.crt', ''),
      'no PEM certificate',
    ],
    ['an invalid key', (values) => values.set('certificates/internal/a.test/a.test.key', '-----BEGIN'), 'a.test.crt'],
    ['no key', (values) => values.delete('certificates/internal/a.test/a.test.key'), 'certificate has no private key'],
    [
      'no certificate',
      (values) => values.delete('certificates/internal/a.test/a.test.crt'),
      'private key has no certificate',
    ],
    [
      'a certificate for another key',
      (values, other) => values.set('certificates/internal/a.test/a.test.crt', other),
      'does not match',
    ],
  ];
  for (const [what, damage, words] of damages) {
    it(`managed certificates are replaced and the problem is reported if there is ${what} in storage`, async () => {
      const first = await start(automate(['a.test']));
      await until(() => has(first, 'certificates/internal/a.test/a.test.json'));
      damage(first.storage.values, (await authority.leaf(['a.test'])).chain);
      const second = await start(automate(['a.test']), first.storage);
      await until(() => second.orders.length === 1);
      const port = await second.listen();
      expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
      expect(JSON.stringify(second.logged)).to.contain(words).and.to.contain('certificates/internal/a.test/a.test.crt');
    });
  }

  it('managed certificates are obtained from the next issuer if an issuer fails', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.failing.add('internal');
    await bench.load(automate(['a.test'], { issuers: [{ module: 'internal' }, { module: 'other' }] }));
    await until(() => has(bench, 'certificates/other/a.test/a.test.json'));
    expect(bench.orders).to.deep.equal(['internal a.test', 'other a.test']);
  });

  it('after a restart, managed certificates are requested immediately only from issuers that have not failed', async () => {
    const first = new Bench(authority);
    open.push(first);
    first.failing.add('internal');
    await first.load(automate(['a.test']));
    await until(() => has(first, 'certificate_attempts/a.test.json'));
    expect(JSON.stringify(first.logged)).to.contain('not today');
    const second = await start(automate(['a.test']), first.storage);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(second.orders).to.deep.equal([]);
    const third = await start(automate(['a.test'], { issuers: [{ module: 'other' }] }), first.storage);
    await until(() => has(third, 'certificates/other/a.test/a.test.json'));
    expect(has(third, 'certificate_attempts/a.test.json')).to.equal(false);
  });

  // Attack in docs/security.md: An issuer that permanently rejects a name (`permanent: true`).
  it('for a day, managed certificates are not requested from an issuer that has permanently rejected the name', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.failing.add('internal');
    bench.permanent = true;
    await bench.load(automate(['a.test']));
    await until(() => has(bench, 'certificate_attempts/a.test.json'));
    const attempts = JSON.parse(bench.storage.values.get('certificate_attempts/a.test.json') ?? '') as { next: number };
    expect(attempts.next).to.be.greaterThan(Date.now() + 0.9 * day);
    // Another issuer must be tried immediately.
    await bench.load(automate(['a.test'], { issuers: [{ module: 'internal' }, { module: 'other' }] }));
    await until(() => has(bench, 'certificates/other/a.test/a.test.json'));
  });

  // Attack in docs/security.md: An issuer that permanently rejects a name (`permanent: true`).
  it('managed certificates are obtained from another issuer if one issuer permanently rejected the name', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.failing.add('internal').add('other');
    bench.permanent = true;
    const issuers = [{ module: 'internal' }, { module: 'other' }];
    await bench.load(automate(['a.test'], { issuers }));
    await until(() => bench.orders.length === 2);
    await bench.load(automate(['a.test', 'b.test'], { issuers }));
    await until(() => bench.orders.length === 4);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bench.orders).to.deep.equal(['internal a.test', 'other a.test', 'internal b.test', 'other b.test']);
  });

  // Attack in docs/security.md: An on-demand certificate for a name that the configuration no longer covers.
  it('on-demand certificates are dropped if the configuration no longer has on-demand policies', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.permitted.add('yes.test').add('kept.test');
    bench.lifetime = 62_000;
    const port = await bench.listen();
    const { automation } = policy({ on_demand: true, renewal_window_ratio: 0.001 }) as { automation: object };
    await bench.load({ automation: { ...automation, on_demand: { permission: { module: 'listed' } } } });
    for (const name of ['yes.test', 'kept.test'])
      expect((await shakeHands(port, name)).names, name).to.equal(`DNS:${name}`);
    bench.orders.length = 0;
    await bench.load(automate(['kept.test'], { renewal_window_ratio: 0.001 }));
    await until(() => bench.orders.includes('internal kept.test'));
    expect((await shakeHands(port, 'yes.test')).error).not.to.equal(null);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(bench.orders).not.to.include('internal yes.test');
    expect((await shakeHands(port, 'kept.test')).names).to.equal('DNS:kept.test');
  }).timeout(10_000);

  it('managed certificates are renewed at the end of their lifetime while handshakes continue', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.lifetime = 62_000;
    const port = await bench.listen();
    await bench.load(automate(['a.test'], { renewal_window_ratio: 0.001 }));
    const served = new Set<string>();
    const end = Date.now() + 5000;
    while (bench.orders.length < 3 && Date.now() < end) {
      const { error, fingerprint } = await shakeHands(port, 'a.test');
      expect(error).to.equal(null);
      served.add(fingerprint);
    }
    expect(served.size).to.be.greaterThan(1);
  }).timeout(8000);

  it('managed certificates are renewed when the issuer suggests renewal, but not in an endless loop', async () => {
    const first = await start(automate(['a.test']));
    await until(() => has(first, 'certificates/internal/a.test/a.test.json'));
    const second = new Bench(authority, first.storage);
    open.push(second);
    const now = Date.now();
    second.window = { start: now - 2000, end: now - 1000, retryAt: now + 3_600_000 };
    await second.load(automate(['a.test']));
    await until(() => second.orders.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(second.orders.length).to.equal(1);
  });

  it('managed certificates are renewed within the suggested window, which is queried at a limited rate', async () => {
    const first = await start(automate(['a.test']));
    await until(() => has(first, 'certificates/internal/a.test/a.test.json'));
    const second = new Bench(authority, first.storage);
    open.push(second);
    const now = Date.now();
    second.window = { start: now + 1200, end: now + 1700, retryAt: now + 365 * day };
    await second.load(automate(['a.test']));
    const [managed] = tlsOf(second).management?.lifecycle.names.all() ?? [];
    await until(() => (managed?.due ?? 0) < now + day / 2);
    expect(managed?.due).to.be.within(now + 1200, now + 1700);
    expect(managed?.askAt).to.be.within(now + day, Date.now() + day);
    await new Promise((resolve) => setTimeout(resolve, 1100 - (Date.now() - now)));
    expect(second.orders).to.deep.equal([]);
    await until(() => second.orders.length === 1);
    expect(Date.now()).to.be.lessThan(now + 30_000);
  });

  it('managed certificates keep their key if the policy requires it', async () => {
    const keyAfter = async (reuse: boolean): Promise<boolean> => {
      const first = await start(automate(['a.test']));
      await until(() => has(first, 'certificates/internal/a.test/a.test.json'));
      const before_ = first.storage.values.get('certificates/internal/a.test/a.test.key');
      first.storage.values.set('certificates/internal/a.test/a.test.crt', '');
      const second = await start(automate(['a.test'], { reuse_private_keys: reuse }), first.storage);
      await until(
        () => second.orders.length === 1 && second.storage.values.get('certificates/internal/a.test/a.test.crt') !== '',
      );
      return second.storage.values.get('certificates/internal/a.test/a.test.key') === before_;
    };
    expect(await keyAfter(true)).to.equal(true);
    expect(await keyAfter(false)).to.equal(false);
  });

  for (const [keyType, expected] of [
    ['p384', 'secp384r1'],
    ['ed25519', 'ed25519'],
    ['rsa2048', 'rsa'],
  ] as const) {
    it(`managed certificates have keys of type ${keyType}`, async () => {
      const bench = await start(automate(['a.test'], { key_type: keyType }));
      const key = 'certificates/internal/a.test/a.test.crt';
      await until(() => has(bench, key));
      const { publicKey } = new X509Certificate(bench.storage.values.get(key) ?? '');
      expect(publicKey.asymmetricKeyDetails?.namedCurve ?? publicKey.asymmetricKeyType).to.equal(expected);
    });
  }

  it('managed certificates are obtained from default issuers that depend on the name if the policy specifies no issuers', async () => {
    const bench = await start({
      certificates: { automate: ['a.example.com', 'localhost', '127.0.0.1', 'x.internal'] },
    });
    await until(() => bench.orders.length === 4);
    expect(bench.orders.sort()).to.deep.equal([
      'acme a.example.com',
      'internal 127.0.0.1',
      'internal localhost',
      'internal x.internal',
    ]);
  });

  it('managed certificates are dropped when they are no longer needed, and kept across unrelated changes', async () => {
    const bench = await start(automate(['a.test', 'b.test']));
    const port = await bench.listen();
    await until(() => stored(bench).length === 6);
    const before_ = await shakeHands(port, 'b.test');
    await bench.load(automate(['b.test', 'c.test']));
    await until(() => bench.orders.length === 3);
    expect((await shakeHands(port, 'b.test')).fingerprint).to.equal(before_.fingerprint);
    expect((await shakeHands(port, 'c.test')).error).to.equal(null);
    expect((await shakeHands(port, 'a.test')).error).not.to.equal(null);
    expect(bench.orders.filter((order) => order.endsWith('b.test')).length).to.equal(1);
  });

  it('on-demand certificates are obtained for permitted names', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.permitted.add('yes.test');
    const port = await bench.listen();
    const onDemand = policy({ on_demand: true }) as { automation: object };
    await bench.load({
      automation: { ...onDemand.automation, on_demand: { permission: { module: 'listed' } } },
    });
    const outcomes = await Promise.all([1, 2, 3].map(() => shakeHands(port, 'yes.test')));
    expect(outcomes.map(({ names }) => names)).to.deep.equal(Array(3).fill('DNS:yes.test'));
    expect((await shakeHands(port, 'no.test')).error).not.to.equal(null);
    expect(bench.orders).to.deep.equal(['internal yes.test']);
  });

  for (const kind of ['managed', 'on demand'])
    it(`expired managed certificates, for example after a clock jump, are renewed during the handshake: ${kind}`, async () => {
      const bench = new Bench(authority);
      open.push(bench);
      bench.permitted.add('a.test');
      const port = await bench.listen();
      const demand = { on_demand: { permission: { module: 'listed' } } };
      const { automation } = policy({ on_demand: true }) as { automation: object };
      await bench.load(kind === 'managed' ? automate(['a.test']) : { automation: { ...automation, ...demand } });
      expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
      await until(() => bench.orders.length === 1);
      const { now } = Date;
      Date.now = () => now() + 3650 * day;
      try {
        expect((await shakeHands(port, 'a.test')).names).to.equal('DNS:a.test');
        expect(bench.orders).to.deep.equal(['internal a.test', 'internal a.test']);
      } finally {
        Date.now = now;
      }
    });

  it('on-demand certificates stay in memory up to cache.capacity, and are otherwise loaded from storage', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    const names = ['one.test', 'two.test', 'three.test'];
    for (const name of names) bench.permitted.add(name);
    const port = await bench.listen();
    const onDemand = policy({ on_demand: true }) as { automation: object };
    await bench.load({
      cache: { capacity: 2 },
      automation: { ...onDemand.automation, on_demand: { permission: { module: 'listed' } } },
    });
    for (const name of names) expect((await shakeHands(port, name)).names).to.equal(`DNS:${name}`);
    const kept = (): string[] => [...(tlsOf(bench).management?.lifecycle.names.all() ?? [])].map(({ name }) => name);
    expect(kept()).to.deep.equal(['two.test', 'three.test']);
    expect((await shakeHands(port, 'one.test')).names).to.equal('DNS:one.test');
    expect(kept()).to.deep.equal(['three.test', 'one.test']);
    expect(bench.orders).to.have.length(3);
  });

  it('certificates are not ordered if the storage is unusable, unless the storage check is disabled', async () => {
    const broken = (): MemoryStorage => {
      const storage = new MemoryStorage();
      storage.store = () => Promise.reject(new Error('the disk is full'));
      return storage;
    };
    const bench = await start(automate(['a.test']), broken());
    await until(() => JSON.stringify(bench.logged).includes('the disk is full'));
    expect(JSON.stringify(bench.logged)).to.contain('storage test failed');
    expect(bench.orders).to.deep.equal([]);
    const blind = await start({ ...(automate(['a.test']) as object), disable_storage_check: true }, broken());
    await until(() => blind.orders.length === 1);
  });

  it('the storage check removes its test data from storage', async () => {
    const bench = await start(automate(['a.test']));
    await until(() => has(bench, 'certificates/internal/a.test/a.test.json'));
    expect([...bench.storage.values.keys()].filter((key) => key.startsWith('rw_test'))).to.deep.equal([]);
  });

  it('on-demand certificates require a permission module', async () => {
    const bench = await start(policy({ on_demand: true }));
    const port = await bench.listen();
    expect((await shakeHands(port, 'a.test')).error).not.to.equal(null);
    expect(bench.orders).to.deep.equal([]);
    expect(JSON.stringify(bench.logged)).to.contain('permission');
  });

  it('no certificates are obtained for names that loaded certificates cover, unless loaded certificates are ignored', async () => {
    const bench = new Bench(authority);
    open.push(bench);
    bench.loaded = [{ ...(await authority.leaf(['a.test'])), tags: [], source: 'a' }];
    await bench.load({ certificates: { memory: {} }, ...(policy({}) as object) });
    const tls = bench.runtime.app(tlsApp);
    tls?.want('http', { names: NameSet.of(['a.test', 'b.test']), ignoreLoaded: false });
    await until(() => bench.orders.length === 1);
    expect(bench.orders).to.deep.equal(['internal b.test']);
    tls?.want('http', { names: NameSet.of(['a.test']), ignoreLoaded: true });
    await until(() => bench.orders.length === 2);
  });

  it('the names of managed certificates can be added and removed incrementally', async () => {
    const bench = await start(policy({}));
    const tls = bench.runtime.app(tlsApp);
    const wanted = (names: NameSet): WantedCertificates => ({ names, ignoreLoaded: false });
    const first = wanted(NameSet.of(['a.test', 'b.test']));
    tls?.want('http', first);
    await until(() => bench.orders.length === 2);
    const second = wanted(first.names.with(['c.test'], ['a.test']));
    tls?.want('http', second);
    await until(() => bench.orders.length === 3);
    expect(bench.orders.at(-1)).to.equal('internal c.test');
    const port = await bench.listen();
    expect((await shakeHands(port, 'b.test')).names).to.equal('DNS:b.test');
    expect((await shakeHands(port, 'a.test')).error).not.to.equal(null);
    tls?.unwant('http', first);
    expect((await shakeHands(port, 'c.test')).names).to.equal('DNS:c.test');
    tls?.unwant('http', second);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await shakeHands(port, 'c.test')).error).not.to.equal(null);
  });
});
