import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import type { MemoryStorage } from '@sluice/testing';
import { CRLReasons } from '@peculiar/asn1-x509';
import { OCSPResponseStatus, type OCSPRequest } from '@peculiar/asn1-ocsp';
import { cleanStorage } from '../../src/automation/cleaning.ts';
import { Bench, shakeHands, TestAuthority, until, type Outcome } from '../support.ts';
import { responseTo, OcspResponder, refusal, type TestResponse, type Behavior } from './responder.ts';

const second = 1000;
const day = 86_400_000;
const memory = { certificates: { memory: {} } };

describe('OCSP stapling', () => {
  let authority: TestAuthority;
  let responder: OcspResponder;
  const open: Bench[] = [];

  /** Responds as the CA would, unless parts of the response are overridden. */
  const responding =
    (response: TestResponse = {}): Behavior =>
    (request) =>
      responseTo(request, authority, response);
  const bench = async (storage?: MemoryStorage): Promise<Bench> => {
    const made = new Bench(authority, storage);
    open.push(made);
    made.loaded = [await loadedCertificate()];
    return made;
  };
  let pair: { chain: string; key: string };
  const loadedCertificate = async () => {
    pair ??= await authority.leaf(['a.test'], { responder: responder.url, lifetime: 60 * day });
    return { chain: pair.chain + authority.pem, key: pair.key, tags: [], source: 'a.pem' };
  };
  const asking = (port: number, name = 'a.test'): Promise<Outcome> => shakeHands(port, name, { requestOCSP: true });
  const isStapled = async (port: number, name?: string): Promise<boolean> => (await asking(port, name)).staple !== null;
  const stapled = async (port: number): Promise<Buffer> => {
    let staple: Buffer | null = null;
    for (const end = Date.now() + 4000; staple === null && Date.now() < end;) staple = (await asking(port)).staple;
    expect(staple, 'there is no staple').not.to.equal(null);
    return staple as unknown as Buffer;
  };
  const said = (made: Bench): string => JSON.stringify(made.logged.filter(({ level }) => level !== 'debug'));
  const keys = (made: Bench): string[] => [...made.storage.values.keys()].filter((key) => key.startsWith('ocsp/'));

  before(async () => {
    authority = await TestAuthority.make();
    responder = await OcspResponder.start(responding());
  });
  after(() => responder.close());
  beforeEach(() => {
    responder.behavior = responding();
    responder.asked.length = 0;
    responder.status = 200;
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  it('OCSP responses are stapled for clients that request them, and stored as in Caddy', async () => {
    const made = await bench();
    await made.load(memory);
    const port = await made.listen();
    const staple = await stapled(port);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const outcome = await shakeHands(port, 'a.test', { maxVersion, requestOCSP: true });
      expect(outcome.staple?.equals(staple), maxVersion).to.equal(true);
      expect((await shakeHands(port, 'a.test', { maxVersion })).staple).to.equal(null);
    }
    expect(responder.asked).to.have.length(1);
    const [key = ''] = keys(made);
    expect(key).to.match(/^ocsp\/a\.test-[0-9a-f]{1,8}$/);
    expect(Buffer.from(made.storage.values.get(key) ?? '', 'latin1').equals(staple)).to.equal(true);
  });

  it('OCSP responses in storage are used from the first handshake after a restart', async () => {
    const first = await bench();
    await first.load(memory);
    const staple = await stapled(await first.listen());
    responder.behavior = () => null;
    const again = await bench(first.storage);
    await again.load(memory);
    expect((await asking(await again.listen())).staple?.equals(staple)).to.equal(true);
    expect(responder.asked).to.have.length(1);
  });

  it('OCSP responses are fetched once by servers with the same storage, and again after half of their lifetime', async () => {
    let old: Buffer = Buffer.alloc(0);
    responder.behavior = (request) => {
      old = responseTo(request, authority, { from: -8 * day, until: 7 * day });
      return responseTo(request, authority);
    };
    const first = await bench();
    const members = [first, await bench(first.storage), await bench(first.storage)];
    await Promise.all(members.map((member) => member.load(memory)));
    const staples = await Promise.all(members.map(async (member) => stapled(await member.listen())));
    expect(responder.asked).to.have.length(1);
    for (const staple of staples) expect(staple.equals(staples[0] as Buffer)).to.equal(true);

    // Days later, the stored response is still valid but past half of its lifetime.
    const [key = ''] = keys(first);
    first.storage.values.set(key, old.toString('latin1'));
    const later = [await bench(first.storage), await bench(first.storage)];
    await Promise.all(later.map((member) => member.load(memory)));
    for (const member of later) expect((await stapled(await member.listen())).length).to.be.greaterThan(0);
    await until(() => responder.asked.length > 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(responder.asked).to.have.length(2);
  });

  const damages: readonly [string, (stored: string, request: OCSPRequest) => string, string][] = [
    ['an empty response', () => '', 'the response is not an OCSP response (0 bytes)'],
    ['an unrelated file', () => '-----BEGIN CERTIFICATE-----', 'not an OCSP response'],
    ['a truncated response', (stored) => stored.slice(0, stored.length / 2), 'not an OCSP response'],
    [
      'a response for another certificate',
      (_, request) => responseTo(request, authority, { serial: Buffer.of(9) }).toString('latin1'),
      'a different certificate',
    ],
    [
      'an expired response',
      (_, request) => responseTo(request, authority, { from: -day, until: -second }).toString('latin1'),
      'the OCSP response expired at',
    ],
  ];
  for (const [what, damage, words] of damages) {
    it(`OCSP stapling reports ${what} in storage, and fetches the response again`, async () => {
      let request: OCSPRequest | null = null;
      responder.behavior = (asked) => {
        request = asked;
        return responseTo(asked, authority);
      };
      const first = await bench();
      await first.load(memory);
      await stapled(await first.listen());
      const { values } = first.storage;
      const [key = ''] = keys(first);
      const damaged = damage(values.get(key) ?? '', request as unknown as OCSPRequest);
      values.set(key, damaged);
      const again = await bench(first.storage);
      await again.load(memory);
      await stapled(await again.listen());
      expect(said(again)).to.contain(words).and.to.contain(key);
      expect(values.get(key)).not.to.equal(damaged);
    });
  }

  const lies: readonly [string, () => Promise<Behavior>, string][] = [
    ['does not know the certificate', async () => responding({ status: 'unknown' }), 'unknown to the responder'],
    ['responds for another certificate', async () => responding({ serial: Buffer.of(9) }), 'a different certificate'],
    [
      'returns expired responses',
      async () => responding({ from: -day, until: -second }),
      'the OCSP response expired at',
    ],
    [
      'returns responses that are not valid yet',
      async () => responding({ from: day, until: 2 * day }),
      'the OCSP response is not valid before',
    ],
    ['rejects requests', async () => () => refusal(OCSPResponseStatus.tryLater), 'tryLater'],
    ['does not return an OCSP response', async () => () => Buffer.from('<html>'), 'not an OCSP response'],
    ['returns an endless response', async () => () => Buffer.alloc(1024 * 1024), 'larger than 65536 bytes'],
    [
      'signs with an unrelated key',
      async () => {
        const signer = await TestAuthority.make();
        return responding({ signer, certificates: [signer] });
      },
      'signed neither by the issuer',
    ],
    [
      'signs with a certificate that is not authorized for OCSP',
      async () => {
        const signer = await authority.leaf(['ocsp.test']);
        return responding({
          signer: { ...signer, pem: signer.chain },
          certificates: [{ ...signer, pem: signer.chain }],
        });
      },
      'signed neither by the issuer',
    ],
  ];
  for (const [what, behavior, words] of lies) {
    it(`OCSP stapling reports a responder that ${what}, and handshakes continue without a staple`, async () => {
      responder.behavior = await behavior();
      const made = await bench();
      await made.load(memory);
      const port = await made.listen();
      await until(() => said(made).includes(words));
      expect(said(made)).to.contain(responder.url).and.to.contain('a.pem');
      const { error, staple } = await asking(port);
      expect([error, staple]).to.deep.equal([null, null]);
      expect(keys(made)).to.deep.equal([]);
    });
  }

  it('OCSP stapling reports an HTTP error of a responder', async () => {
    responder.status = 503;
    const made = await bench();
    await made.load(memory);
    await until(() => said(made).includes('the OCSP responder returned status 503'));
  });

  it('OCSP stapling reports an unreachable responder, and retries later', async () => {
    const gone = await OcspResponder.start(responding());
    await gone.close();
    const made = await bench();
    const overrides = { [responder.url]: gone.url };
    await made.load({ ...memory, automation: { ocsp_interval: '20ms', policies: [{ ocsp_overrides: overrides }] } });
    const port = await made.listen();
    await until(() => said(made).includes('ECONNREFUSED'));
    const { error, staple } = await asking(port);
    expect([error, staple]).to.deep.equal([null, null]);
    const back = await OcspResponder.start(responding(), Number(new URL(gone.url).port));
    await stapled(port);
    await back.close();
  });

  it('OCSP stapling does not delay handshakes if the responder does not respond', async () => {
    responder.behavior = () => null;
    const made = await bench();
    await made.load(memory);
    const port = await made.listen();
    await until(() => responder.asked.length === 1);
    const start = performance.now();
    expect((await asking(port)).error).to.equal(null);
    // The timeout for a responder is ten seconds, so the server has not waited for it.
    expect(performance.now() - start).to.be.lessThan(5 * second);
  });

  it('OCSP responses signed by delegated responders are accepted', async () => {
    const { chain, key } = await authority.leaf(['ocsp.test'], { usage: '1.3.6.1.5.5.7.3.9' });
    const signer = { pem: chain, key };
    responder.behavior = responding({ signer, certificates: [signer] });
    const made = await bench();
    await made.load(memory);
    await stapled(await made.listen());
  });

  it('an OCSP response is renewed after half of its lifetime and never served after it expires', async () => {
    responder.behavior = responding({ from: -second, until: 3 * second });
    const made = await bench();
    await made.load({ ...memory, automation: { ocsp_interval: '50ms' } });
    const port = await made.listen();
    const first = await stapled(port);
    expect(responder.asked).to.have.length(1);
    await until(() => responder.asked.length === 2);
    await until(() => !made.storage.values.get(keys(made)[0] ?? '')?.includes(first.toString('latin1')));
    const next = await stapled(port);
    expect(next.equals(first)).to.equal(false);
    responder.behavior = () => Buffer.alloc(0);
    const end = Date.now() + 5 * second;
    while ((await isStapled(port)) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await isStapled(port)).to.equal(false);
  }).timeout(10_000);

  const url = (): string => responder.url;
  const silences: readonly [string, () => Json][] = [
    ['disable_ocsp_stapling', () => ({ disable_ocsp_stapling: true })],
    [
      'disable_ocsp_stapling in a policy',
      () => ({ automation: { policies: [{ subjects: ['a.test'], disable_ocsp_stapling: true }] } }),
    ],
    ['an empty responder override', () => ({ automation: { policies: [{ ocsp_overrides: { [url()]: '' } }] } })],
  ];
  for (const [what, options] of silences) {
    it(`OCSP stapling fetches no response with ${what}, but fetches a response after this option is removed`, async () => {
      const made = await bench();
      await made.load({ ...memory, ...(options() as object) });
      const port = await made.listen();
      expect(await isStapled(port)).to.equal(false);
      expect(responder.asked).to.deep.equal([]);
      await made.load(memory);
      await stapled(port);
      await made.load({ ...memory, ...(options() as object) });
      expect(await isStapled(port)).to.equal(false);
    });
  }

  it('OCSP stapling uses the responder in ocsp_overrides', async () => {
    const other = await OcspResponder.start(responding());
    const made = await bench();
    await made.load({ ...memory, automation: { policies: [{ ocsp_overrides: { [responder.url]: other.url } }] } });
    await stapled(await made.listen());
    expect([responder.asked.length, other.asked.length]).to.deep.equal([0, 1]);
    await other.close();
  });

  it('OCSP stapling rejects an override without a URL and reports the path', async () => {
    const made = await bench();
    const policies = [{ ocsp_overrides: { 'http://x': 'nowhere' } }];
    const refusedWith = await made.load({ automation: { policies } }).catch((error: unknown) => String(error));
    expect(refusedWith).to.contain('policies[0].ocsp_overrides').and.to.contain('"nowhere"');
  });

  it('OCSP responses are kept across configuration changes and dropped with their certificate', async () => {
    const made = await bench();
    await made.load(memory);
    const port = await made.listen();
    const before_ = await stapled(port);
    await made.load({ ...memory, cache: { capacity: 20_000 } });
    expect((await asking(port)).staple?.equals(before_)).to.equal(true);
    await made.load({});
    await made.load(memory);
    expect((await asking(port)).staple?.equals(before_)).to.equal(true);
    expect(responder.asked).to.have.length(1);
  });

  it('OCSP stapling fetches new OCSP responses for reloaded certificates', async () => {
    const made = await bench();
    await made.load(memory);
    const port = await made.listen();
    const before_ = await stapled(port);
    const other = await authority.leaf(['a.test'], { responder: responder.url });
    made.loaded = [{ ...other, chain: other.chain + authority.pem, tags: [], source: 'a.pem' }];
    made.reload?.();
    await until(() => responder.asked.length === 2);
    const after_ = await stapled(port);
    expect(after_.equals(before_)).to.equal(false);
  });

  const automate = (more: object = {}): Json => ({
    certificates: { automate: ['m.test'] },
    automation: { policies: [{ issuers: [{ module: 'internal' }], ...more }] },
  });

  it('OCSP responses are stapled to every handshake while a certificate is renewed', async () => {
    const made = new Bench(authority);
    open.push(made);
    made.lifetime = 62 * second;
    made.responder = responder.url;
    await made.load(automate({ renewal_window_ratio: 0.02 }));
    const port = await made.listen();
    await until(() => keys(made).length > 0);
    const served = new Set<string>();
    const end = Date.now() + 5000;
    while (served.size < 3 && Date.now() < end) {
      const { error, staple, fingerprint } = await asking(port, 'm.test');
      expect([error, staple === null]).to.deep.equal([null, false]);
      served.add(fingerprint);
    }
    expect(served.size).to.equal(3);
  }).timeout(8000);

  for (const [reason, sameKey] of [
    [CRLReasons.superseded, true],
    [CRLReasons.keyCompromise, false],
  ] as const) {
    it(`a managed certificate with the OCSP status revoked (${CRLReasons[reason]}) is replaced, ${sameKey ? 'with the same' : 'with another'} key`, async () => {
      const first = new Bench(authority);
      open.push(first);
      first.responder = responder.url;
      responder.behavior = responding({ from: -second, until: second });
      const config = automate({ reuse_private_keys: true });
      await first.load(config);
      await until(() => keys(first).length > 0);
      const stored = (kind: string): string =>
        first.storage.values.get(`certificates/internal/m.test/m.test.${kind}`) ?? '';
      const key = stored('key');
      const revoked = new X509Certificate(stored('crt')).serialNumber.toLowerCase();
      await first.close();
      open.pop();
      responder.behavior = (request) => {
        const status = responder.asked.at(-1)?.endsWith(revoked) ? 'revoked' : 'good';
        return responseTo(request, authority, { status, reason });
      };
      const made = new Bench(authority, first.storage);
      open.push(made);
      made.responder = responder.url;
      await new Promise((resolve) => setTimeout(resolve, second));
      await made.load(config);
      const port = await made.listen();
      await until(() => made.orders.length === 1);
      await until(() => said(made).includes('renewed certificate'));
      for (const end = Date.now() + 2000; !(await isStapled(port, 'm.test')) && Date.now() < end;);
      expect(await isStapled(port, 'm.test')).to.equal(true);
      expect(said(made)).to.contain('certificate was revoked').and.to.contain(CRLReasons[reason]);
      expect(stored('key') === key).to.equal(sameKey);
      expect(made.orders).to.have.length(1);
    });
  }

  it('storage cleaning removes expired OCSP responses and keeps invalid responses', async () => {
    let request: OCSPRequest | null = null;
    responder.behavior = (asked) => {
      request = asked;
      return responseTo(asked, authority);
    };
    const made = await bench();
    await made.load(memory);
    await stapled(await made.listen());
    const { storage } = made;
    const old = responseTo(request as unknown as OCSPRequest, authority, { from: -day, until: -second });
    await storage.store('ocsp/old.test-1', old);
    await storage.store('ocsp/foreign', 'something else');
    const kept = [...keys(made)].filter((key) => key !== 'ocsp/old.test-1');
    await cleanStorage(storage, silentLogger);
    expect(keys(made)).to.deep.equal(kept).and.to.have.length(2);
  });

  it('the revoked status of a loaded certificate is reported, and no OCSP response is stapled', async () => {
    responder.behavior = responding({ status: 'revoked' });
    const made = await bench();
    await made.load(memory);
    const port = await made.listen();
    await until(() => said(made).includes('certificate was revoked'));
    expect(await isStapled(port)).to.equal(false);
    expect(keys(made)).to.deep.equal([]);
  });
});
