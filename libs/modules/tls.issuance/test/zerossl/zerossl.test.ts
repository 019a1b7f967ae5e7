import { get } from 'node:http';
import type { ClientRequest, ClientResponse, AcmeTransport } from '@sluice/acme';
import { expect } from 'chai';
import { freePort, NameServer } from '@sluice/testing';
import { zeroSslTransportToken } from '@sluice/tls.issuance';
import { orderFor, provisionIssuer, type Bench } from '../acme/support.ts';

/** Simulates the ZeroSSL API for one certificate and records requests. */
class FakeZeroSsl implements AcmeTransport {
  readonly asked: string[] = [];
  /** Certificate statuses that consecutive requests return. */
  statuses = ['issued'];
  /** Content that the simulated validation retrieved. */
  found = '';
  look: () => Promise<string> = () => Promise.resolve('');
  failure: object | null = null;

  async send({ method, url, body }: ClientRequest): Promise<ClientResponse> {
    const { pathname, searchParams } = new URL(url);
    this.asked.push(`${method} ${pathname} ${searchParams.get('access_key') ?? ''}`);
    return {
      status: 200,
      headers: {},
      body: JSON.stringify(this.failure ?? (await this.#respond(pathname, body ?? ''))),
    };
  }

  close(): void {}

  async #respond(path: string, body: string): Promise<object> {
    if (path === '/certificates') {
      const name = new URLSearchParams(body).get('certificate_domains') ?? '';
      const validation = {
        file_validation_url_http: `http://${name}/.well-known/pki-validation/ABC.txt`,
        file_validation_content: ['first', 'second'],
        cname_validation_p1: `_ABC.${name}`,
        cname_validation_p2: 'DEF.example.com',
      };
      return { id: 'id1', status: 'draft', validation: { other_methods: { [name]: validation } } };
    }
    if (path.endsWith('/challenges')) {
      this.found = await this.look();
      return { id: 'id1', status: 'pending_validation' };
    }
    if (path.endsWith('/return')) return { 'certificate.crt': 'LEAF', 'ca_bundle.crt': 'BUNDLE\n' };
    if (path === '/certificates/id1') return { id: 'id1', status: this.statuses.shift() ?? 'issued' };
    return { success: 1 };
  }
}

describe('tls.issuance.zerossl', () => {
  let bench: Bench | null = null;
  let fake: FakeZeroSsl;

  beforeEach(() => {
    fake = new FakeZeroSsl();
  });
  afterEach(async () => {
    await bench?.close();
    bench = null;
  });

  it('the zerossl issuer serves the validation file, obtains the certificate, and revokes it by ID', async () => {
    const port = await freePort();
    fake.look = () => read(`http://127.0.0.1:${port}/.well-known/pki-validation/ABC.txt`);
    bench = await provisionIssuer(
      { module: 'zerossl', api_key: 'secret', alternate_http_port: port, listen_host: '127.0.0.1' },
      { services: [[zeroSslTransportToken, fake]] },
    );
    const { issuer } = bench;
    expect(issuer.storageKey).to.equal('zerossl');
    expect(issuer.objection?.('*.sluice.test')).to.match(/cname_validation/);
    const issued = await issuer.issue(await orderFor(['a.sluice.test']));
    expect(issued).to.deep.equal({ chain: 'LEAF\nBUNDLE\n', data: { id: 'id1' } });
    expect(fake.found).to.equal('first\nsecond');
    await issuer.revoke?.(issued.chain, 1, AbortSignal.timeout(1000));
    expect(fake.asked).to.deep.equal([
      'POST /certificates secret',
      'POST /certificates/id1/challenges secret',
      'GET /certificates/id1 secret',
      'GET /certificates/id1/download/return secret',
      'POST /certificates/id1/revoke secret',
    ]);
  });

  it('the zerossl issuer creates and removes the record for CNAME validation', async () => {
    const names = new NameServer();
    await names.start();
    fake.look = () => Promise.resolve(JSON.stringify([...names.texts]));
    const cname_validation = { provider: { name: 'test' }, resolvers: [names.address], propagation_timeout: -1 };
    bench = await provisionIssuer(
      { module: 'zerossl', api_key: 'secret', cname_validation },
      { dns: names, services: [[zeroSslTransportToken, fake]] },
    );
    await bench.issuer.issue(await orderFor(['a.sluice.test']));
    names.close();
    expect(fake.found).to.equal('[["_abc.a.sluice.test",["def.example.com"]]]');
    expect(names.texts.size).to.equal(0);
  });

  it('the zerossl issuer cancels a failed order, and never reveals the API key', async () => {
    const port = await freePort();
    fake.statuses = ['cancelled'];
    bench = await provisionIssuer(
      { module: 'zerossl', api_key: 'secret', alternate_http_port: port },
      { services: [[zeroSslTransportToken, fake]] },
    );
    const failure = async (): Promise<string> => {
      try {
        await bench?.issuer.issue(await orderFor(['a.sluice.test']));
        return 'no failure';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await failure()).to.equal('ZeroSSL certificate id1 failed with status cancelled');
    expect(fake.asked.at(-1)).to.equal('POST /certificates/id1/cancel secret');
    fake.failure = { success: false, error: { code: 101, type: 'invalid_access_key' } };
    expect(await failure()).to.equal('POST https://api.zerossl.com/certificates: invalid_access_key (101)');
    fake.send = ({ url }) => Promise.reject(new Error(`connect ${url}`));
    expect(await failure())
      .to.contain('api.zerossl.com/certificates')
      .and.not.contain('secret');
  });
});

function read(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
  });
}
