import { X509Certificate, type KeyObject } from 'node:crypto';
import {
  findAccount,
  IdentifierPolicy,
  isAcmeProblem,
  jwkOf,
  obtain,
  registerAccount,
  revokeCertificate,
  signMessage,
  type Account,
  type AuthorizationResource,
  type Identifier,
  type ObtainRequest,
  type OrderResource,
  type Session,
} from '@sluice/acme';
import { expect } from 'chai';
import { accountKey, base, bench, deliver, makeCsr, MapStore, type Bench } from './support.ts';

const dns = (value: string): Identifier => ({ type: 'dns', value });

async function newAccount(session: Session, key: KeyObject = accountKey()): Promise<Account> {
  return registerAccount(session, { key, contact: [], externalAccount: null });
}

function request(names: readonly string[], csr: Buffer, { network }: Bench): ObtainRequest {
  return {
    identifiers: names.map(dns),
    csr,
    solvers: new Map([['http-01', network.solver('http-01')]]),
    profile: null,
    notAfter: null,
    replaces: null,
    chains: null,
    onFallback: () => {},
  };
}

/** Returns the type and status of the ACME problem with which a promise rejects. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (isAcmeProblem(error)) return `${error.status} ${error.type}`;
    throw error;
  }
  return 'no refusal';
}

async function read<T>(session: Session, account: Account, url: string, payload: object | null = null): Promise<T> {
  return JSON.parse((await session.post(url, { key: account.key, signer: { kid: account.url } }, payload)).body) as T;
}

async function order(session: Session, account: Account, body: object): Promise<OrderResource & { url: string }> {
  const response = await session.post(`${base}/new-order`, { key: account.key, signer: { kid: account.url } }, body);
  return { ...(JSON.parse(response.body) as OrderResource), url: response.headers['location'] ?? '' };
}

describe('AcmeServer', () => {
  it('AcmeServer issues a certificate for validated names', async () => {
    const all = await bench();
    const session = all.session();
    const names = ['a.example.com', 'b.example.com'];
    const { chain, url } = await obtain(session, await newAccount(session), request(names, await makeCsr(names), all));
    expect(new X509Certificate(chain).subjectAltName).to.equal('DNS:a.example.com, DNS:b.example.com');
    expect(url).to.match(/^https:\/\/ca\.test\/acme\/local\/certificate\/[0-9a-f]{64}$/);
    expect(all.network.asked.map(({ identifier, type }) => `${type} ${identifier.value}`)).to.deep.equal([
      'http-01 a.example.com',
      'http-01 b.example.com',
    ]);
    expect(all.network.found.size).to.equal(0);
  });

  it('AcmeServer adds a nonce, the index link and Cache-Control: no-store to every response to a signed request', async () => {
    const all = await bench();
    await newAccount(all.session());
    const { headers, status } = all.traffic.at(-1)?.response ?? {};
    expect(status).to.equal(201);
    expect(headers).to.include({ 'cache-control': 'no-store', link: `<${base}/directory>;rel="index"` });
    expect(headers?.['replay-nonce']).to.match(/^[\w-]{43}$/);
  });

  it('AcmeServer finds an existing account by key and reports missing accounts', async () => {
    const session = (await bench()).session();
    const account = await newAccount(session);
    expect((await newAccount(session, account.key)).url).to.equal(account.url);
    expect((await findAccount(session, account.key)).url).to.equal(account.url);
    expect(await refusal(findAccount(session, accountKey()))).to.equal('400 accountDoesNotExist');
  });

  it('AcmeServer updates contacts, and rejects requests from a deactivated account', async () => {
    const session = (await bench()).session();
    const account = await newAccount(session);
    const contact = ['mailto:a@example.com'];
    expect(await read(session, account, account.url, { contact })).to.include({ status: 'valid' });
    expect(await read(session, account, account.url)).to.deep.include({ contact });
    expect(await refusal(read(session, account, account.url, { contact: ['no-url'] }))).to.equal('400 invalidContact');
    expect(await read(session, account, account.url, { status: 'deactivated' })).to.include({ status: 'deactivated' });
    expect(await refusal(read(session, account, account.url))).to.equal('401 unauthorized');
    expect(await refusal(newAccount(session, account.key))).to.equal('401 unauthorized');
  });

  it('AcmeServer changes account keys, and rejects keys that belong to other accounts', async () => {
    const session = (await bench()).session();
    const account = await newAccount(session);
    const other = await newAccount(session);
    const change = (key: KeyObject): Promise<unknown> => {
      const inner = { account: account.url, oldKey: jwkOf(account.key) };
      const message = signMessage(key, { jwk: jwkOf(key) }, { url: `${base}/key-change` }, inner);
      return read(session, account, `${base}/key-change`, message);
    };
    expect(await refusal(change(other.key))).to.equal('409 malformed');
    const key = accountKey();
    await change(key);
    expect((await findAccount(session, key)).url).to.equal(account.url);
    expect(await refusal(findAccount(session, account.key))).to.equal('400 accountDoesNotExist');
    expect(await refusal(read(session, account, account.url))).to.equal('400 malformed');
    expect(await read(session, { ...account, key }, account.url)).to.include({ status: 'valid' });
  });

  const badMessages: readonly (readonly [what: string, change: (text: string) => string, expected: string])[] = [
    ['invalid JSON', () => '{', '400 malformed'],
    ['an unprotected header', (text) => text.replace('{', '{"header":{},'), '400 malformed'],
    ['several signatures', (text) => text.replace('{', '{"signatures":[],'), '400 malformed'],
    ['padded base64', (text) => text.replace('"protected":"', '"protected":"='), '400 malformed'],
    ['a modified payload', (text) => text.replace(/"payload":"[^"]*"/, '"payload":"e30"'), '400 malformed'],
    ['an empty signature', (text) => text.replace(/"signature":"[^"]*"/, '"signature":""'), '400 malformed'],
  ];
  for (const [what, change, expected] of badMessages)
    it(`AcmeServer rejects messages with ${what}`, async () => {
      const { server, book } = await bench();
      const key = accountKey();
      const url = `${base}/new-account`;
      const message = signMessage(key, { jwk: jwkOf(key) }, { url, nonce: book.nonces.make() }, { contact: [] });
      const send = async (body: string, contentType = 'application/jose+json'): Promise<string> => {
        const signal = new AbortController().signal;
        const { status, body: text } = await deliver(server, { method: 'POST', url, contentType, body, signal });
        return status < 300
          ? String(status)
          : `${status} ${(JSON.parse(text) as { type: string }).type.split(':').at(-1)}`;
      };
      const text = JSON.stringify(message);
      expect(await send(change(text))).to.equal(expected);
      expect(await send(text, 'application/json')).to.equal('415 malformed');
      expect(await send(text)).to.equal('201');
      expect(await send(text)).to.equal('400 badNonce');
    });

  const badHeaders: readonly (readonly [what: string, header: object, expected: string])[] = [
    ['a symmetric algorithm', { alg: 'HS256' }, 'badSignatureAlgorithm'],
    ['the algorithm "none"', { alg: 'none' }, 'badSignatureAlgorithm'],
    ['an algorithm that does not match the key', { alg: 'ES384' }, 'badSignatureAlgorithm'],
    ['a different URL', { url: `${base}/new-order` }, 'malformed'],
    ['an unknown nonce', { nonce: 'x' }, 'badNonce'],
    ['both a key and an account', { kid: `${base}/account/x` }, 'malformed'],
    ['an invalid key', { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }, 'badPublicKey'],
    ['critical extensions', { crit: ['exp'], exp: 1 }, 'malformed'],
  ];
  for (const [what, change, expected] of badHeaders)
    it(`AcmeServer rejects messages whose header has ${what}`, async () => {
      const { server, book } = await bench();
      const key = accountKey();
      const url = `${base}/new-account`;
      const message = signMessage(key, { jwk: jwkOf(key) }, { url, nonce: book.nonces.make() }, {});
      const header = JSON.parse(Buffer.from(message.protected, 'base64url').toString()) as object;
      const fields = Buffer.from(JSON.stringify({ ...header, ...change })).toString('base64url');
      const body = JSON.stringify({ ...message, protected: fields });
      const signal = new AbortController().signal;
      const response = await deliver(server, {
        method: 'POST',
        url,
        contentType: 'application/jose+json',
        body,
        signal,
      });
      expect(response.headers['content-type']).to.equal('application/problem+json');
      expect((JSON.parse(response.body) as { type: string }).type).to.equal(`urn:ietf:params:acme:error:${expected}`);
    });

  it('AcmeServer returns orders, authorizations and challenges in the format of RFC 8555', async () => {
    const session = (await bench()).session();
    const account = await newAccount(session);
    const made = await order(session, account, { identifiers: [dns('A.example.com'), dns('*.example.com')] });
    expect(made).to.deep.include({
      status: 'pending',
      identifiers: [dns('a.example.com'), dns('*.example.com')],
      finalize: `${made.url}/finalize`,
    });
    expect(await read(session, account, `${account.url}/orders`)).to.deep.equal({ orders: [made.url] });
    const [first = '', second = ''] = made.authorizations;
    const plain = await read<AuthorizationResource>(session, account, first);
    expect(plain).to.deep.include({ identifier: dns('a.example.com'), status: 'pending', wildcard: false });
    expect(plain.challenges.map(({ type }) => type)).to.deep.equal(['dns-01', 'http-01', 'tls-alpn-01']);
    const wildcard = await read<AuthorizationResource>(session, account, second);
    expect(wildcard).to.deep.include({ identifier: dns('example.com'), wildcard: true });
    expect(wildcard.challenges.map(({ type }) => type)).to.deep.equal(['dns-01']);
    expect(wildcard.challenges[0]?.token).to.match(/^[\w-]{32}$/);
  });

  it('AcmeServer denies an account access to resources of another account', async () => {
    const all = await bench();
    const session = all.session();
    const account = await newAccount(session);
    const csr = await makeCsr(['a.example.com']);
    const { url, chain } = await obtain(session, account, request(['a.example.com'], csr, all));
    const made = await order(session, account, { identifiers: [dns('a.example.com')] });
    const other = await newAccount(session);
    expect(await refusal(read(session, other, made.url))).to.equal('404 malformed');
    expect(await refusal(read(session, other, made.authorizations[0] ?? ''))).to.equal('404 malformed');
    expect(await refusal(read(session, other, url))).to.equal('401 unauthorized');
    expect(await refusal(read(session, other, account.url))).to.equal('403 unauthorized');
    expect(await refusal(revokeCertificate(session, other, chain, 0))).to.equal('403 unauthorized');
  });

  const badOrders: readonly (readonly [what: string, body: object, expected: string])[] = [
    ['without identifiers', {}, '400 malformed'],
    ['with an empty list of identifiers', { identifiers: [] }, '400 malformed'],
    ['for a name with a path', { identifiers: [dns('a.example.com/x')] }, '400 malformed'],
    ['for a wildcard inside a name', { identifiers: [dns('a.*.example.com')] }, '400 malformed'],
    ['for an invalid IP address', { identifiers: [{ type: 'ip', value: 'a' }] }, '400 malformed'],
    ['for an email address', { identifiers: [{ type: 'email', value: 'a@b.c' }] }, '400 unsupportedIdentifier'],
    ['that end in the past', { identifiers: [dns('a.b')], notAfter: '2020-01-01T00:00:00Z' }, '400 malformed'],
    ['with an invalid time', { identifiers: [dns('a.b')], notAfter: 'soon' }, '400 malformed'],
  ];
  for (const [what, body, expected] of badOrders)
    it(`AcmeServer rejects orders ${what}`, async () => {
      const session = (await bench()).session();
      expect(await refusal(order(session, await newAccount(session), body))).to.equal(expected);
    });

  it('AcmeServer applies the policy when an order is created and when it is finalized', async () => {
    const store = new MapStore();
    const rules = { domains: ['*.example.com'], ranges: [] };
    const strict = await bench({ store, policy: new IdentifierPolicy(rules, null, false) });
    const session = strict.session();
    const account = await newAccount(session);
    expect(await refusal(order(session, account, { identifiers: [dns('a.org')] }))).to.equal('400 rejectedIdentifier');
    expect(await refusal(obtain(session, account, request(['*.example.com'], await makeCsr([]), strict)))).to.equal(
      '400 rejectedIdentifier',
    );
    const lenient = await bench({ store });
    const made = await order(lenient.session(), account, { identifiers: [dns('a.org')] });
    expect(made.status).to.equal('pending');
  });

  it('AcmeServer reports the value found in a failed challenge and invalidates the order', async () => {
    const all = await bench();
    const session = all.session();
    const account = await newAccount(session);
    const made = await order(session, account, { identifiers: [dns('a.example.com')] });
    const url = made.authorizations[0] ?? '';
    const { challenges } = await read<AuthorizationResource>(session, account, url);
    const challenge = challenges.find(({ type }) => type === 'http-01')?.url ?? '';
    expect(await read(session, account, challenge, {})).to.include({ status: 'processing' });
    await Promise.all(all.book.validating.values());
    const failed = await read<AuthorizationResource>(session, account, url);
    expect(failed.status).to.equal('invalid');
    expect(failed.challenges).to.have.length(1);
    expect(failed.challenges[0]?.error?.type).to.equal('urn:ietf:params:acme:error:incorrectResponse');
    expect(await read(session, account, made.url)).to.include({ status: 'invalid' });
    const csr = (await makeCsr(['a.example.com'])).toString('base64url');
    expect(await refusal(read(session, account, made.finalize, { csr }))).to.equal('403 orderNotReady');
  });

  it('AcmeServer rejects a CSR whose names differ from the order', async () => {
    const all = await bench();
    const session = all.session();
    const account = await newAccount(session);
    for (const [names, commonName] of [
      [['b.example.com'], ''],
      [['a.example.com', 'b.example.com'], ''],
      [['a.example.com'], 'b.example.com'],
      [[], ''],
    ] as const) {
      const csr = await makeCsr(names, commonName);
      expect(await refusal(obtain(session, account, request(['a.example.com'], csr, all)))).to.equal('400 badCSR');
    }
    const csr = await makeCsr([], 'a.example.com');
    const { chain } = await obtain(session, account, request(['a.example.com'], csr, all));
    expect(new X509Certificate(chain).subjectAltName).to.equal('DNS:a.example.com');
  });

  it("AcmeServer allows notAfter to shorten a certificate's lifetime, but not to extend it", async () => {
    const all = await bench({ lifetime: 3_600_000 });
    const session = all.session();
    const account = await newAccount(session);
    const csr = await makeCsr(['a.example.com']);
    for (const [wanted, given] of [
      [600_000, 600_000],
      [7_200_000, 3_600_000],
    ] as const) {
      const notAfter = Date.now() + wanted;
      const what = { ...request(['a.example.com'], csr, all), notAfter };
      const { chain } = await obtain(session, account, what);
      const left = new X509Certificate(chain).validToDate.getTime() - Date.now();
      expect(left).to.be.within(given - 10_000, given);
    }
  });

  it('AcmeServer rejects a second revocation of a certificate, and a revocation signed with an unrelated key', async () => {
    const all = await bench();
    const session = all.session();
    const account = await newAccount(session);
    const csr = await makeCsr(['a.example.com']);
    const { chain } = await obtain(session, account, request(['a.example.com'], csr, all));
    expect(await refusal(revokeCertificate(session, account, chain, 99))).to.equal('400 badRevocationReason');
    await revokeCertificate(session, account, chain, 1);
    expect(await refusal(revokeCertificate(session, account, chain, 1))).to.equal('400 alreadyRevoked');
    const [key] = [...all.store.values].filter(([name]) => name.includes('/certificates/'));
    expect(JSON.parse(key?.[1] ?? '')).to.have.nested.property('revoked.reason', 1);
    const unknownKey = accountKey();
    const certificate = new X509Certificate(chain).raw.toString('base64url');
    const byKey = session.post(
      `${base}/revoke-cert`,
      { key: unknownKey, signer: { jwk: jwkOf(unknownKey) } },
      { certificate },
    );
    expect(await refusal(byKey)).to.equal('403 unauthorized');
  });

  it('AcmeServer accepts a revocation by an account that is authorized for all names in the certificate', async () => {
    const all = await bench();
    const session = all.session();
    const csr = await makeCsr(['a.example.com']);
    const first = await obtain(session, await newAccount(session), request(['a.example.com'], csr, all));
    const other = await newAccount(session);
    await obtain(session, other, request(['a.example.com'], csr, all));
    await revokeCertificate(session, other, first.chain, 0);
  });

  it('AcmeServer resumes its work after a restart, including validations in progress', async () => {
    const before = await bench();
    const session = before.session();
    const account = await newAccount(session);
    const made = await order(session, account, { identifiers: [dns('a.example.com')] });
    const url = made.authorizations[0] ?? '';
    const { challenges } = await read<AuthorizationResource>(session, account, url);
    const challenge = challenges.find(({ type }) => type === 'http-01');
    before.network.gate = new Promise(() => {});
    await read(session, account, challenge?.url ?? '', {});

    const after = await bench({ store: new MapStore(new Map(before.store.values)) });
    const again = after.session();
    after.network.found.set(`http-01 ${challenge?.token ?? ''}`, before.network.asked[0]?.authorization ?? '');
    expect(await read(again, account, made.url)).to.include({ status: 'pending' });
    await Promise.all(after.book.validating.values());
    expect(await read(again, account, made.url)).to.include({ status: 'ready' });
  });

  it('AcmeServer reports an unreadable value in its store and continues', async () => {
    const all = await bench();
    const session = all.session();
    const account = await newAccount(session);
    for (const key of all.store.values.keys()) if (key.includes('/accounts/')) all.store.values.set(key, '{"id":');
    expect(await refusal(read(session, account, account.url))).to.equal('400 accountDoesNotExist');
    expect(all.reports.join()).to.contain('damaged acme_server/local/accounts/');
    expect((await newAccount(session, account.key)).url).to.not.equal(account.url);
  });

  it('AcmeServer responds to unsupported methods and unknown paths as Caddy does', async () => {
    const { server } = await bench();
    const ask = async (method: 'GET' | 'POST' | 'HEAD', path: string): Promise<string> => {
      const signal = new AbortController().signal;
      const { status, headers } = await deliver(server, { method, url: base + path, signal });
      return `${status} ${headers['allow'] ?? ''}`;
    };
    expect(await ask('GET', '/new-nonce')).to.equal('204 ');
    expect(await ask('HEAD', '/new-nonce')).to.equal('200 ');
    expect(await ask('POST', '/new-nonce')).to.equal('405 GET, HEAD');
    expect(await ask('POST', '/directory')).to.equal('405 GET, HEAD');
    expect(await ask('GET', '/new-account')).to.equal('405 POST');
    expect(await ask('GET', '/nothing')).to.equal('404 ');
  });

  it('AcmeServer removes records that expired long ago', async () => {
    const all = await bench();
    const session = all.session();
    const csr = await makeCsr(['a.example.com']);
    await obtain(session, await newAccount(session), request(['a.example.com'], csr, all));
    const count = (): number => [...all.store.values.keys()].filter((key) => /orders|certificates/.test(key)).length;
    await all.book.clean();
    expect(count()).to.equal(2);
    await all.book.clean(Date.now() + 40 * 86_400_000);
    expect(count()).to.equal(0);
  });
});
