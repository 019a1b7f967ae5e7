import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { provision, refusal, sampleCertificates } from '@sluice/testing';
import type { ClientHello } from '@sluice/contracts';
import { certificateManagers } from '@sluice/tls-app';
import { register } from '../src/index.ts';
import { Tailscale } from '../src/tailscale/tailscale.ts';

const settings = { register: [register], key: 'via' };
const { client, authority } = sampleCertificates;
/** An invalid key suffices, because the tests never parse it. */
const key = '-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n';
const hello: ClientHello = {
  serverName: 'a.example.com',
  protocols: ['h2'],
  versions: [0x0304],
  cipherSuites: [0x1301, 0xc02f, 0x00ff],
  signatureSchemes: [0x0403, 0x0804],
  remoteAddress: '192.0.2.1',
  remotePort: 40000,
  localAddress: '192.0.2.2',
  localPort: 443,
};
const signal = new AbortController().signal;

/** A server that always sends the same response. */
class OneResponse {
  status = 200;
  body = '';
  readonly asked: { url: string; host: string }[] = [];
  readonly server: Server = createServer((request, response) => {
    this.asked.push({ url: request.url ?? '', host: request.headers.host ?? '' });
    response.writeHead(this.status).end(this.body);
  });
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('tls.get_certificate.http', () => {
  let response: OneResponse;
  let origin: string;
  beforeEach(async () => {
    response = new OneResponse();
    response.server.listen(0, '127.0.0.1');
    await once(response.server, 'listening');
    origin = `http://127.0.0.1:${(response.server.address() as AddressInfo).port}`;
  });
  afterEach(() => response.server.close());

  async function get(given: ClientHello = hello): Promise<unknown> {
    const { instance, close } = await provision(
      certificateManagers,
      { via: 'http', url: `${origin}/certs?z=1` },
      settings,
    );
    try {
      return await instance.get(given, signal);
    } finally {
      await close();
    }
  }

  it('tls.get_certificate.http accepts certificate, chain and key in any order', async () => {
    for (const body of [client + authority + key, `${key}\n# comment\n${client}${authority}`]) {
      response.body = body;
      expect(await get()).to.deep.equal({ chain: client + authority, key });
    }
  });

  it('tls.get_certificate.http sends properties of the ClientHello', async () => {
    response.status = 204;
    await get();
    await get({ ...hello, localAddress: '', signatureSchemes: [] });
    expect(response.asked.map(({ url }) => url)).to.deep.equal([
      '/certs?cipher_suites=1301%2Cc02f%2Cff&local_ip=192.0.2.2&server_name=a.example.com&signature_schemes=403%2C804&z=1',
      '/certs?cipher_suites=1301%2Cc02f%2Cff&server_name=a.example.com&signature_schemes=&z=1',
    ]);
  });

  it('tls.get_certificate.http returns no certificate for status 204', async () => {
    response.status = 204;
    expect(await get()).to.equal(null);
  });

  it('tls.get_certificate.http fails for other responses, and for responses without a certificate or key', async () => {
    for (const status of [201, 302, 403, 500]) {
      response.status = status;
      response.body = client + key;
      expect(await failure(get())).to.equal(`${origin}/certs responded with status ${status}`);
    }
    response.status = 200;
    response.body = key;
    expect(await failure(get())).to.equal('response contains no PEM certificate');
    response.body = client;
    expect(await failure(get())).to.equal('response contains no PEM private key');
  });

  it('tls.get_certificate.http rejects an invalid URL', async () => {
    for (const url of ['', 'nope']) {
      expect(await refusal(certificateManagers, { via: 'http', url }, settings)).to.match(
        /\.url: .* is not an http or https URL/,
      );
    }
  });
});

describe('tls.get_certificate.tailscale', () => {
  let response: OneResponse;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tailscale-'));
    response = new OneResponse();
    response.server.listen(join(folder, 'd.sock'));
    await once(response.server, 'listening');
  });
  afterEach(() => {
    response.server.close();
    rmSync(folder, { recursive: true });
  });

  const get = (serverName: string): Promise<unknown> =>
    new Tailscale(join(folder, 'd.sock')).get({ ...hello, serverName }, signal);

  it('tls.get_certificate.tailscale queries the daemon only for tailnet names', async () => {
    response.body = key + client;
    expect(await get('host.tail1.ts.net')).to.deep.equal({ chain: client, key });
    expect(await get('example.com')).to.equal(null);
    expect(response.asked).to.deep.equal([
      { url: '/localapi/v0/cert/host.tail1.ts.net?type=pair', host: 'local-tailscaled.sock' },
    ]);
  });

  it('tls.get_certificate.tailscale fails if the daemon fails or is unavailable', async () => {
    response.status = 500;
    response.body = 'not logged in\n';
    expect(await failure(get('a.ts.net'))).to.equal('tailscaled returned status 500: not logged in');
    expect(
      await failure(new Tailscale(join(folder, 'none')).get({ ...hello, serverName: 'a.ts.net' }, signal)),
    ).to.match(/ENOENT/);
  });

  it('tls.get_certificate.tailscale accepts no options', async () => {
    const { instance, close } = await provision(certificateManagers, { via: 'tailscale' }, settings);
    expect(instance).to.be.instanceOf(Tailscale);
    await close();
    expect(await refusal(certificateManagers, { via: 'tailscale', socket: 'x' }, settings)).to.match(/socket/);
  });
});
