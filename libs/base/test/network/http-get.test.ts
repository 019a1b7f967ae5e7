import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { httpGet, httpPost } from '@sluice/base';

/**
 * Test server handler. It sends 2,000 bytes at `/big`, a redirect at `/moved`, and no response at `/silent`. For other paths, it echoes the
 * request.
 */
const respond: RequestListener = (request, response) => {
  const { method, url, headers } = request;
  if (url === '/silent') return;
  if (url === '/big') response.end('x'.repeat(2000));
  else if (url === '/moved') response.writeHead(302, { Location: '/there' }).end();
  else {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () =>
      response
        .writeHead(201)
        .end(
          JSON.stringify([
            method,
            url,
            headers['user-agent'],
            headers['content-type'],
            headers['content-length'],
            body,
          ]),
        ),
    );
  }
};

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );
}

describe('httpGet and httpPost', () => {
  let server: Server;
  let origin: string;
  before(async () => {
    server = createServer(respond).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('httpGet sends a GET request', async () => {
    const { status, location, body } = await httpGet(new URL('/a?b', origin));
    expect([status, location]).to.deep.equal([201, '']);
    expect(JSON.parse(body.toString())).to.deep.equal(['GET', '/a?b', 'Sluice', null, null, '']);
  });

  it('httpPost sends a POST request', async () => {
    const { status, body } = await httpPost(new URL('/a', origin), { type: 'text/x', bytes: Buffer.from('né') });
    expect(status).to.equal(201);
    expect(JSON.parse(body.toString())).to.deep.equal(['POST', '/a', 'Sluice', 'text/x', '3', 'né']);
  });

  it('httpGet returns the redirect location without following it', async () => {
    const { status, location } = await httpGet(new URL('/moved', origin));
    expect([status, location]).to.deep.equal([302, '/there']);
  });

  it('httpGet accepts a body up to the size limit', async () => {
    const big = new URL('/big', origin);
    expect((await httpGet(big)).body.length).to.equal(2000);
    expect((await httpGet(big, { maxBytes: 2000 })).body.length).to.equal(2000);
    expect(await failureOf(httpGet(big, { maxBytes: 1999 }))).to.equal('the response is larger than 1999 bytes');
  });

  it('httpGet rejects when its signal aborts', async () => {
    expect(await failureOf(httpGet(new URL('/silent', origin), { signal: AbortSignal.timeout(30) }))).to.match(
      /abort/i,
    );
  });

  it('httpGet rejects URLs that are not HTTP, and fails if there is no server', async () => {
    expect(await failureOf(httpGet(new URL('ftp://127.0.0.1/')))).to.equal(
      'ftp://127.0.0.1/ is not an http or https URL',
    );
    expect(await failureOf(httpGet(new URL('http://127.0.0.1:1/')))).to.match(/ECONNREFUSED/);
  });

  it('httpGet connects to a Unix socket', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'sluice-base-'));
    const local = createServer(respond).listen(join(folder, 'socket'));
    await once(local, 'listening');
    const { body } = await httpGet(new URL('http://name/a'), { socketPath: join(folder, 'socket') });
    expect(JSON.parse(body.toString())).to.include('/a');
    local.close();
    await once(local, 'close');
    rmSync(folder, { recursive: true });
  });

  it('httpGet verifies certificates with the given authorities and name, or skips verification', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'a.test' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'a.test' }] },
      ],
    });
    const secure = createSecureServer({ cert, key }, respond).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const url = new URL(`https://127.0.0.1:${(secure.address() as AddressInfo).port}/`);
    expect(await failureOf(httpGet(url))).to.match(/self.signed/);
    expect(await failureOf(httpGet(url, { insecure: false }))).to.match(/self.signed/);
    expect((await httpGet(url, { insecure: true })).status).to.equal(201);
    expect((await httpGet(url, { ca: [cert], serverName: 'a.test' })).status).to.equal(201);
    expect(await failureOf(httpGet(url, { ca: [cert] }))).to.match(/not in the cert|does not match/);
    expect(await failureOf(httpGet(url, { ca: [cert], serverName: 'b.test' }))).to.match(/does not match/);
    secure.close();
    await once(secure, 'close');
  });
});
