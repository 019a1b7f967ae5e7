import { connect } from 'node:net';
import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';

describe('admin-api.http', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ document: { apps: { any: { 'a#b': 1, ü: 2 } } } });
  });
  after(() => server.close());

  /** Sends raw bytes and reads until the server closes the connection. */
  function raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let response = '';
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.end(Buffer.from(text.replaceAll('HOST', `localhost:${server.port}`), 'latin1')),
      );
      socket.on('data', (chunk) => (response += chunk.toString('latin1')));
      socket.on('error', reject);
      socket.on('close', () => resolve(response));
    });
  }

  const redirects: [path: string, location: string][] = [
    ['/config', '/config/'],
    ['/id', '/id/'],
    ['//config/apps', '/config/apps'],
    ['/config//apps', '/config/apps'],
    ['/config/apps//', '/config/apps/'],
    ['/config/./x', '/config/x'],
    ['/config/a/../b?q=1&r="', '/config/b?q=1&r="'],
    ['/config/apps/..', '/config/'],
    ['/config/..', '/'],
    ['//evil.example/', '/evil.example/'],
    ['/x/../../y', '/y'],
    ['/config/./a%2Fb', '/config/a%2Fb'],
  ];
  for (const [path, location] of redirects) {
    it(`the admin API redirects ${path} to ${location}`, async () => {
      const read = await server.ask(path);
      expect([read.status, read.headers.location]).to.deep.equal([307, location]);
      expect(read.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(read.text).to.match(/^<a href="[^"<>]*">Temporary Redirect<\/a>\.\n\n$/);
      const change = await server.ask(path, { method: 'POST', body: '1' });
      expect([change.status, change.headers.location, change.text]).to.deep.equal([307, location, '']);
      expect(change.headers).to.not.have.property('content-type');
    });
  }

  for (const path of [
    '/',
    '/nothing',
    '/load/',
    '/load/x',
    '/stop/',
    '/adapt/',
    '/configx',
    '/Config/',
    '/LOAD',
    '/schema/',
    '/%2Fconfig/',
  ]) {
    it(`the admin API returns the same 404 as Caddy for ${path} to clients without Accept`, async () => {
      const response = await server.ask(path);
      expect([response.status, response.text]).to.deep.equal([404, '404 page not found\n']);
      expect(response.headers).to.include({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
    });
  }

  const exchanges: [name: string, request: string, response: RegExp][] = [
    [
      'an invalid percent-encoding',
      'GET /config/%zz HTTP/1.1\r\nHost: HOST\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*application\/json[^]*\{"error":"[^]*valid percent-encoding"\}\n$/,
    ],
    [
      'a request without a Host header',
      'GET /config/ HTTP/1.1\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*\{"error":"missing Host header[^]*"\}\n$/,
    ],
    ['an HTTP/1.0 request without a Host header', 'GET /config/ HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 403 /],
    [
      'OPTIONS *',
      'OPTIONS * HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200 [^]*Content-Length: 0\r\n[^]*\r\n\r\n$/,
    ],
    [
      'GET *',
      'GET * HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*\{"error":"the target[^]*\}\n$/,
    ],
    [
      'an invalid request line',
      'GET config HTTP/1.1\r\nHost: HOST\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*\{"error":"[^"]+"\}\n$/,
    ],
    ['bytes that are not HTTP', '\u0000\u0001\u0002', /^HTTP\/1\.1 400 /],
    [
      'an unknown method',
      'FOO /config/ HTTP/1.1\r\nHost: HOST\r\n\r\n',
      /^HTTP\/1\.1 405 [^]*application\/json[^]*\{"error":"method FOO not allowed"\}\n$/,
    ],
    [
      'a lowercase method',
      'get /config/ HTTP/1.1\r\nHost: HOST\r\n\r\n',
      /^HTTP\/1\.1 405 [^]*\{"error":"method get not allowed"\}\n$/,
    ],
    [
      'CONNECT',
      'CONNECT /config/ HTTP/1.1\r\nHost: HOST\r\n\r\n',
      /^HTTP\/1\.1 405 [^]*\{"error":"method CONNECT not allowed"\}\n$/,
    ],
    [
      'header fields that are too large',
      `GET /config/ HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    [
      'an upgrade request',
      'GET /config/apps/any/%C3%BC HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      /^HTTP\/1\.1 200 [^]*\r\n2\n$/,
    ],
    [
      'a target with a fragment, which is part of the path',
      'GET /config/apps/any/a#b HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 200 [^]*\r\n1\n$/,
    ],
    [
      'a path with raw UTF-8 bytes',
      'GET /config/apps/any/\u00c3\u00bc HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 (?:200 [^]*\r\n2\n|400 [^]*)$/,
    ],
    [
      'a request with a body that its header does not declare',
      'DELETE /config/apps/any/none HTTP/1.1\r\nHost: HOST\r\n\r\n{"a":1}',
      /^HTTP\/1\.1 404 [^]*Connection: close[^]*"error"[^]*\}\n$/,
    ],
    [
      'a request with Connection: close that is followed by more data',
      'GET /config/apps/any/a%23b HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\nrubbish',
      /^HTTP\/1\.1 200 [^]*\r\n1\n$/,
    ],
    [
      'an invalid chunk',
      'POST /load HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      /^HTTP\/1\.1 400 /,
    ],
    [
      'a HEAD request that fails',
      'HEAD /config/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 405 [^]*Content-Length: \d\d\r\n[^]*\r\n\r\n$/,
    ],
  ];
  for (const [name, request, response] of exchanges) {
    it(`the admin API responds correctly to ${name}`, async () => expect(await raw(request)).to.match(response));
  }

  it('the admin API survives a client that disconnects while sending its body', async () => {
    const document = server.reconciler.document;
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`POST /load HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Length: 100\r\n\r\n{"apps"`);
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('close', () => resolve());
    });
    expect((await server.ask('/config/')).status).to.equal(200);
    expect(server.reconciler.document).to.equal(document);
  });

  it('the admin API escapes HTML in error messages', async () => {
    const response = await server.ask('/config/%3Cscript%3E/x');
    expect(response.text).to.not.contain('<');
    expect(response.json).to.have.property('error').that.contains('<script>');
  });
});
