import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { httpApp } from '@sluice/http-app';
import { fromCaddyfile, serve, type TestServer } from '@sluice/testing';
import { conversation, httpUpstream, Opened, packages } from './support.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  body: string;
}

describe('forward_auth directive', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  /** Starts an authorization server that responds with the given fields, an application, and a server in front of both. */
  async function guarded(status: number, fields: Readonly<Record<string, string>>) {
    const asked: Seen[] = [];
    const served: Seen[] = [];
    const gate = opened.add(
      await httpUpstream((request, response) => {
        asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' });
        response.writeHead(status, fields).end(status === 200 ? '' : 'go away');
      }),
    );
    const app = opened.add(
      await httpUpstream((request, response) => {
        const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' };
        served.push(seen);
        request.on('data', (piece: Buffer) => (seen.body += piece.toString()));
        request.on('end', () => response.end('app'));
      }),
    );
    app.server.on('upgrade', (request, socket) => {
      served.push({ method: 'GET', url: request.url ?? '', headers: request.headers, body: '' });
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    const config = await fromCaddyfile(`http://127.0.0.1:0 {
	forward_auth ${gate.dial} {
		uri /verify?x=1
		copy_headers Remote-User Groups>X-Groups
	}
	reverse_proxy ${app.dial}
}
`);
    const server: TestServer = opened.add(await serve(config, packages));
    const address = server.runtime.app(httpApp)?.servers.get('srv0')?.listeners[0]?.address as AddressInfo;
    return { server, asked, served, port: address.port };
  }

  const forged = { 'Remote-User': 'root', 'X-Groups': 'admin', 'x-groups': 'admin', Remote_User: 'root' };

  // Attack in docs/security.md: Client-supplied identity fields with `forward_auth` (CVE-2026-30851).
  it('forward_auth copies fields under their new names, and replaces client header fields that have these names', async () => {
    const { server, served } = await guarded(200, { 'Remote-User': 'ada', Groups: 'staff' });
    const headers = { 'Remote-User': 'root', 'X-Groups': 'admin', Groups: 'own' };
    expect((await server.request({ host: '127.0.0.1', headers })).text).to.equal('app');
    expect(served[0]?.headers).to.include({ 'remote-user': 'ada', 'x-groups': 'staff', groups: 'own' });
  });

  // Attack in docs/security.md: Client-supplied identity fields with `forward_auth` (CVE-2026-30851).
  it('forward_auth removes client fields with the names of copied fields if the authorization server does not set these fields', async () => {
    const { server, served } = await guarded(200, {});
    await server.request({ host: '127.0.0.1', headers: forged });
    expect(served[0]?.headers).not.to.have.any.keys('remote-user', 'x-groups');
  });

  it('forward_auth sends no request body to the authorization server, and the application receives the body', async () => {
    const { server, asked, served } = await guarded(200, {});
    const response = await server.request({ host: '127.0.0.1', method: 'POST', path: '/form?a=1', body: 'name=ada' });
    expect(response.status).to.equal(200);
    expect(asked[0]).to.include({ method: 'GET', url: '/verify?x=1' });
    expect(asked[0]?.headers).to.include({ 'x-forwarded-method': 'POST', 'x-forwarded-uri': '/form?a=1' });
    expect(served[0]).to.include({ method: 'POST', url: '/form?a=1', body: 'name=ada' });
  });

  it('forward_auth sends no WebSocket upgrade to the authorization server, and the application receives the upgrade', async () => {
    const { port, asked, served } = await guarded(200, { 'Remote-User': 'ada' });
    const text = await conversation(
      port,
      'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nRemote-User: root\r\n\r\n',
    );
    expect(text).to.match(/^HTTP\/1\.1 101 /);
    expect(asked[0]?.url).to.equal('/verify?x=1');
    expect(served[0]?.headers).to.include({ upgrade: 'websocket', 'remote-user': 'ada' });
  });

  it('forward_auth sends the response of the authorization server if the status is not 2xx', async () => {
    const { server, served } = await guarded(302, { location: 'https://id.example/' });
    const response = await server.request({ host: '127.0.0.1', headers: forged });
    expect(response).to.include({ status: 302, text: 'go away' });
    expect(response.headers.get('location')).to.equal('https://id.example/');
    expect(served).to.deep.equal([]);
  });
});
