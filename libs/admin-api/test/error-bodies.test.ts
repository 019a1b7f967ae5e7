import { connect } from 'node:net';
import { expect } from 'chai';
import type { Registry } from '@sluice/registry';
import { ask, startServer, type TestResponse, type Sent, type TestServer } from './admin.ts';

const paths = [
  ...[
    '/',
    '/nothing',
    '/config',
    '/config/',
    '/config/apps/any',
    '/config/apps/any/none/at/all',
    '/config/apps/any/list/9',
  ],
  ...[
    '/config/%zz',
    '/config/apps/any/list/-1',
    '/id/',
    '/id/nothing',
    '/id/mine',
    '/id/mine/x/y',
    '/load',
    '/load/',
    '/adapt',
  ],
  ...[
    '/stop',
    '/schema',
    '/history',
    '/history/99',
    '/history/x',
    '/history/1/apply',
    '/history/1/confirm',
    '/history/1/none',
  ],
  ...['/text', '/bytes', '/page', '/thrown', '/text/%zz', '/debug/pprof/profile?seconds=x', '/debug/nothing'],
];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const bodies: readonly Sent[] = [
  {},
  { body: '{"a":', headers: { 'Content-Type': 'application/json' } },
  { body: '{}', headers: { 'Content-Type': 'nonsense' } },
  { body: 'x'.repeat(3000), headers: { 'Content-Type': 'application/json' } },
  { body: '"refuse"', headers: { 'Content-Type': 'application/json', 'If-Match': '"broken' } },
  { json: '"bug"', headers: { Origin: 'http://evil.example' } },
  { json: 1, headers: { Host: 'evil.example' } },
  { json: 1, headers: { Expect: 'a-miracle' } },
];

function contribute(registry: Registry): void {
  registry.hooks.adminRoutes.tap('test', ({ router }) => {
    router.get('/text', (_request, response) =>
      response.status(418).set('X-Kept', 'yes').set('Etag', '"x"').type('text/plain').send('short and stout'),
    );
    router.get('/page', (_request, response) => response.status(404).send(''));
    router.get('/bytes', (_request, response) => response.status(503).send(Buffer.from('not now')));
    router.get('/thrown', () => {
      throw new TypeError('a mistake');
    });
  });
}

/** Verifies that an error response contains JSON. Successful responses are not checked. */
function expectJson(response: TestResponse, what: string): void {
  if (response.status < 400) return;
  expect(response.headers['content-type'], what).to.equal('application/json');
  expect(response.json, what).to.have.property('error').that.is.a('string').that.matches(/\S{3}/);
  // Errors that module routes send, or throw unintentionally, have no error code.
  const uncoded = / \/(?:text|page|bytes|thrown)\b/.test(what) && response.headers['sluice-error'] === undefined;
  if (!uncoded) expect(response.headers['sluice-error'], what).to.match(/^ERR_[A-Z_]+$/);
}

describe('admin-api errors', () => {
  let server: TestServer;
  before(async () => {
    const document = { apps: { any: { list: [1], mine: { '@id': 'mine' } } } };
    server = await startServer({ document, bodyLimit: 2000, prepare: contribute });
  });
  after(() => server.close());

  for (const path of paths) {
    it(`every error response of ${path} has a JSON body`, async () => {
      let errors = 0;
      for (const method of methods) {
        for (const sent of method === 'GET' || method === 'HEAD' ? bodies.slice(0, 1) : bodies) {
          const response = await ask({ port: server.port }, path, {
            ...sent,
            method,
            headers: { Accept: '*/*', 'Sluice-Error': 'code', ...sent.headers },
          });
          if (response.status >= 400) errors++;
          if (method !== 'HEAD') expectJson(response, `${method} ${path} ${JSON.stringify(sent).slice(0, 100)}`);
        }
      }
      expect(errors, 'errors that were looked at').to.be.greaterThan(0);
    });
  }

  it('error responses include an error code only if the client asks for it', async () => {
    for (const path of ['/nothing', '/config/%zz', '/history/99', '/config/apps/none']) {
      const sent = { method: 'POST', body: 'x' };
      const headers = { Accept: '*/*' };
      const plain = await server.ask(path, { ...sent, headers });
      const asked = await server.ask(path, { ...sent, headers: { ...headers, 'Sluice-Error': '' } });
      expect([plain.status, plain.json]).to.deep.equal([asked.status, asked.json]);
      expect(plain.headers).not.to.have.property('sluice-error');
      expect(asked.headers['sluice-error'], path).to.match(/^ERR_[A-Z_]+$/);
    }
  });

  it('plain-text error responses from modules keep their header fields and text', async () => {
    const response = await server.ask('/text');
    expect([response.status, response.json]).to.deep.equal([418, { error: 'short and stout' }]);
    expect(response.headers['x-kept']).to.equal('yes');
    expect((await server.ask('/bytes')).json).to.deep.equal({ error: 'not now' });
    expect((await server.ask('/page')).json).to.deep.equal({ error: 'Not Found' });
  });

  const broken: Readonly<Record<string, string>> = {
    'bytes that are not HTTP': '\u0000\u0001\u0002\r\n\r\n',
    'the start of a TLS handshake': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    'a target that is not a path': 'GET config HTTP/1.1\r\nHost: HOST\r\n\r\n',
    'an invalid percent-encoding': 'GET /config/%zz HTTP/1.1\r\nHost: HOST\r\n\r\n',
    'the target *': 'GET * HTTP/1.1\r\nHost: HOST\r\n\r\n',
    'a missing Host header': 'GET /config/ HTTP/1.1\r\n\r\n',
    'header fields that are too large': `GET /config/ HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'an invalid chunk': 'POST /load HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'two Content-Length fields':
      'POST /load HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12',
    'both Content-Length and Transfer-Encoding':
      'POST /load HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1',
    'an unsupported HTTP version': 'GET /config/ HTTP/3.7\r\nHost: HOST\r\n\r\n',
    'the HTTP/2 connection preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'an unknown method': 'FOO /config/ HTTP/1.1\r\nHost: HOST\r\n\r\n',
    'a CONNECT request': 'CONNECT other:80 HTTP/1.1\r\nHost: other:80\r\n\r\n',
    'an unsupported expectation':
      'POST /load HTTP/1.1\r\nHost: HOST\r\nExpect: more\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  };
  for (const [name, bytes] of Object.entries(broken)) {
    it(`the error for ${name} has a JSON body`, async () => {
      const text = await new Promise<string>((resolve, reject) => {
        let received = '';
        const socket = connect(server.port, '127.0.0.1', () =>
          socket.end(Buffer.from(bytes.replaceAll('HOST', `localhost:${server.port}`), 'latin1')),
        );
        socket.on('data', (chunk) => (received += chunk.toString('latin1')));
        socket.on('error', reject).on('close', () => resolve(received));
      });
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(head).to.match(/^HTTP\/1\.1 4\d\d /);
      expect(head).to.match(/\r\nContent-Type: application\/json(\r\n|$)/i);
      expect(JSON.parse(body)).to.have.property('error').that.matches(/\w{3}/);
    });
  }
});
