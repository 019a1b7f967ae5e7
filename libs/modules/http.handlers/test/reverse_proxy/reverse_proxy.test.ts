import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import type { TestRequest, TestResponse } from '@sluice/testing';
import {
  responding,
  conversation,
  echoUpstream,
  listeningServer,
  Opened,
  proxyTo,
  rawUpstream,
  serving,
} from './support.ts';

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string | undefined>;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

describe('http.handlers.reverse_proxy', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function through(
    what: TestRequest | string,
    options: JsonObject = {},
    server: JsonObject = {},
  ): Promise<TestResponse & { echo: Echo }> {
    const upstream = opened.add(await echoUpstream());
    const proxy = opened.add(await serving([proxyTo(upstream.dial, options)], server));
    const response = await proxy.request(what);
    return { ...response, echo: (response.status === 200 ? JSON.parse(response.text) : {}) as Echo };
  }

  it('reverse_proxy forwards the method, target, host, header fields and body', async () => {
    const { echo } = await through({
      method: 'POST',
      path: '/a%2Fb//c?x=1&y',
      host: 'h.test',
      headers: { 'X-A': '1', 'Content-Length': '4' },
      body: 'abcd',
    });
    expect(echo).to.include({ method: 'POST', url: '/a%2Fb//c?x=1&y', body: 'abcd' });
    expect(echo.headers).to.include({
      host: 'h.test',
      'x-a': '1',
      'content-length': '4',
      via: '1.1 Caddy',
      'accept-encoding': 'gzip',
    });
    expect(echo.headers).not.to.have.any.keys('user-agent', 'transfer-encoding', 'connection');
  });

  it('reverse_proxy returns the status, header fields and body, and adds Via', async () => {
    const upstream = opened.add(
      await responding(
        'HTTP/1.1 418 Whatever\r\nx-a: 1\r\nX-A: 2\r\nServer: other\r\nAlt-Svc: h3\r\nContent-Length: 5\r\n\r\nhello',
      ),
    );
    const response = await opened.add(await serving([proxyTo(upstream.dial)])).request('/');
    expect(response).to.include({ status: 418, text: 'hello' });
    expect([...response.headers]).to.deep.equal([
      ['via', '1.1 Caddy'],
      ['x-a', '1'],
      ['x-a', '2'],
      ['server', 'other'],
      ['content-length', '5'],
    ]);
  });

  const dropped: readonly [
    what: string,
    sent: Record<string, string | readonly string[]>,
    gone: readonly string[],
    kept: Record<string, string>,
  ][] = [
    [
      'hop-by-hop fields',
      {
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        'Keep-Alive': 'x',
        'Proxy-Authorization': 'y',
        'Proxy-Connection': 'z',
      },
      ['x-hop', 'keep-alive', 'proxy-authorization', 'proxy-connection'],
      {},
    ],
    ['fields listed in any Connection line', { Connection: ['keep-alive', 'X-Hop'], 'X-Hop': '1' }, ['x-hop'], {}],
    ['TE values other than trailers', { TE: 'gzip, trailers' }, [], { te: 'trailers' }],
    ['an Upgrade field that Connection does not list', { Upgrade: 'h2c' }, ['upgrade', 'connection'], {}],
    [
      'no other fields',
      { 'X-Real-IP': '1', Forwarded: 'for=a', 'X-Forwarded-Port': '1' },
      [],
      { 'x-real-ip': '1', forwarded: 'for=a', 'x-forwarded-port': '1' },
    ],
  ];
  for (const [what, sent, gone, kept] of dropped) {
    it(`reverse_proxy drops ${what} from requests`, async () => {
      const { echo } = await through({ headers: sent });
      for (const name of gone) expect(echo.headers).not.to.have.property(name);
      expect(echo.headers).to.include(kept);
    });
  }

  const forwarded: readonly [
    what: string,
    options: JsonObject,
    server: JsonObject,
    expected: readonly [string, string, string],
  ][] = [
    ['replaces X-Forwarded fields from untrusted clients', {}, {}, ['127.0.0.1', 'http', 'h.test']],
    [
      'keeps X-Forwarded fields from a trusted proxy',
      { trusted_proxies: ['127.0.0.0/8'] },
      {},
      ['1.2.3.4, 5.6.7.8, 127.0.0.1', 'https', 'b.test'],
    ],
  ];
  for (const [what, options, server, expected] of forwarded) {
    it(`reverse_proxy ${what}`, async () => {
      const headers = {
        'X-Forwarded-For': ['1.2.3.4', '5.6.7.8'],
        'X-Forwarded-Proto': ['http', 'https'],
        'X-Forwarded-Host': ['a.test', 'b.test'],
      };
      const { echo } = await through({ host: 'h.test', headers }, options, server);
      expect([
        echo.headers['x-forwarded-for'],
        echo.headers['x-forwarded-proto'],
        echo.headers['x-forwarded-host'],
      ]).to.deep.equal(expected);
    });
  }

  it('reverse_proxy changes request and response fields, and expands upstream placeholders in their values', async () => {
    const headers = {
      request: {
        set: { 'X-Up': ['{http.reverse_proxy.upstream.hostport}'], Host: ['{http.reverse_proxy.upstream.host}'] },
        delete: ['X-Gone'],
        add: { 'X-Add': ['1'] },
      },
      response: { set: { 'X-Down': ['{http.reverse_proxy.upstream.port}'] }, delete: ['X-Upstream'] },
    };
    const { echo, headers: sent } = await through({ headers: { 'X-Gone': '1' } }, { headers });
    expect(echo.headers['x-up']).to.match(/^127\.0\.0\.1:\d+$/);
    expect(echo.headers).to.include({ host: '127.0.0.1', 'x-add': '1' });
    expect(echo.headers).not.to.have.property('x-gone');
    expect(sent.get('x-down')).to.match(/^\d+$/);
    expect(sent.has('x-upstream')).to.equal(false);
  });

  describe('http.handlers.reverse_proxy with TLS to the upstream', () => {
    const hosts: readonly [request: JsonObject, expected: string][] = [
      [{}, '127.0.0.1:PORT'],
      [{ set: { host: ['{http.request.host}'] } }, 'h.test'],
      [{ add: { Host: ['other'] } }, 'other'],
      [{ add: { 'X-A': ['b'] } }, '127.0.0.1:PORT'],
      [{ delete: ['Host'] }, '127.0.0.1:PORT'],
      [{ replace: { Host: [{ search: '127', replace: '999' }] } }, '999.0.0.1:PORT'],
    ];
    for (const [request, expected] of hosts) {
      it(`reverse_proxy sends Host: ${expected} for ${JSON.stringify(request)} over TLS`, async () => {
        const upstream = opened.add(await echoUpstream());
        const port = upstream.dial.split(':')[1] as string;
        // As in Caddy, the rule also applies to a port that uses plaintext.
        const transport = { protocol: 'http', tls: { except_ports: [port] } };
        const proxy = opened.add(await serving([proxyTo(upstream.dial, { transport, headers: { request } })]));
        const { headers } = JSON.parse((await proxy.request({ host: 'h.test' })).text) as Echo;
        expect(headers['host']).to.equal(expected.replace('PORT', port));
        expect(headers['x-forwarded-host']).to.equal('h.test');
      });
    }
  });

  it('the rewrite option of reverse_proxy changes only the forwarded request', async () => {
    const upstream = opened.add(await echoUpstream());
    const show = {
      handler: 'headers',
      response: { deferred: true, set: { 'X-Uri': ['{http.request.method} {http.request.uri}'] } },
    };
    const proxy = opened.add(
      await serving([show, proxyTo(upstream.dial, { rewrite: { method: 'PUT', uri: '/new{http.request.uri}' } })]),
    );
    const response = await proxy.request({ method: 'POST', path: '/old?q' });
    expect(JSON.parse(response.text)).to.include({ method: 'PUT', url: '/new/old?q' });
    expect(response.headers.get('x-uri')).to.equal('POST /old?q');
  });

  const responses: readonly [what: string, received: string, expected: string][] = [
    ['a Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['a chunked body', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\nh\r\n1\r\ni\r\n0\r\n\r\n', 'hi'],
    [
      'both Content-Length and chunked encoding',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
      'hi',
    ],
    ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['two equal Content-Length fields', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', 'hi'],
    ['a field name that contains a space', 'HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['bytes after the body', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 500 No\r\n\r\n', 'hi'],
    ['a folded header line', 'HTTP/1.1 200 OK\r\nX-F: a\r\n  b\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
  ];
  for (const [what, received, expected] of responses) {
    it(`reverse_proxy accepts a response with ${what}`, async () => {
      const upstream = opened.add(await responding(received));
      const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
      expect(await proxy.request('/')).to.include({ status: 200, text: expected });
      expect(await proxy.request('/')).to.include({ status: 200, text: expected });
    });
  }

  it('reverse_proxy accepts a response that ends when the connection closes', async () => {
    for (const version of ['1.0', '1.1']) {
      const upstream = opened.add(await responding(`HTTP/${version} 200 OK\r\n\r\nall`, 'end'));
      const response = await opened.add(await serving([proxyTo(upstream.dial)])).request('/');
      expect(response).to.include({ status: 200, text: 'all' });
      expect(response.headers.get('via')).to.equal(`${version} Caddy`);
    }
  });

  it('reverse_proxy reuses a connection unless the upstream has sent unsolicited bytes', async () => {
    const good = opened.add(await responding('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
    const odd = opened.add(await responding('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi, and more'));
    for (const [upstream, connections] of [
      [good, 1],
      [odd, 3],
    ] as const) {
      const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
      for (let i = 0; i < 3; i++) expect((await proxy.request('/')).text).to.equal('hi');
      expect(upstream.received.length).to.equal(connections);
    }
  });

  it('reverse_proxy sends Connection: close if keep-alive is disabled', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
    const proxy = opened.add(
      await serving([proxyTo(upstream.dial, { transport: { protocol: 'http', keep_alive: { enabled: false } } })]),
    );
    for (let i = 0; i < 2; i++) await proxy.request('/');
    expect(upstream.received.length).to.equal(2);
    expect(upstream.received[0]).to.match(/\r\nConnection: close\r\n/);
  });

  it('reverse_proxy sends the head and a small body in one write, with canonical field names', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 204 No Content\r\n\r\n'));
    const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
    await proxy.request({ method: 'POST', path: '/p', host: 'h', headers: { 'x-request-id': 'r' }, body: 'data' });
    expect(upstream.received[0]).to.equal(
      'POST /p HTTP/1.1\r\nHost: h\r\nX-Request-Id: r\r\nVia: 1.1 Caddy\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: http\r\n' +
        'X-Forwarded-Host: h\r\nContent-Length: 4\r\nAccept-Encoding: gzip\r\n\r\ndata',
    );
  });

  it('reverse_proxy sends Content-Length: 0 only for methods that expect a body', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 204 No Content\r\n\r\n'));
    const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) await proxy.request({ method });
    const lengths = (upstream.received[0] as string)
      .split('\r\n\r\n')
      .filter(Boolean)
      .map((head) => /content-length: 0/i.test(head));
    expect(lengths).to.deep.equal([false, true, true, true, false, false]);
  });

  it('reverse_proxy decodes a gzip response only if the client did not request gzip', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = gzipSync('hello');
    const upstream = opened.add(
      await responding(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`),
          body,
        ]),
      ),
    );
    const proxy = opened.add(await serving([proxyTo(upstream.dial)]));
    const decoded = await proxy.request('/');
    expect(decoded.text).to.equal('hello');
    expect(decoded.headers.has('content-encoding')).to.equal(false);
    const coded = await proxy.request({ headers: { 'Accept-Encoding': 'gzip' } });
    expect(coded.body.equals(body)).to.equal(true);
  });

  it('reverse_proxy passes on trailers in both directions', async () => {
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        if (text.endsWith('X-End: up\r\n\r\n'))
          socket.write(
            'HTTP/1.1 200 OK\r\nTrailer: X-Down\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Down: yes\r\n\r\n',
          );
      }),
    );
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const text = await conversation(
      proxy.port,
      'POST / HTTP/1.1\r\nHost: h\r\nTrailer: X-End\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-End: up\r\n\r\n',
    );
    expect(upstream.received[0]).to.contain('Trailer: X-End\r\n').and.contain('0\r\nX-End: up\r\n\r\n');
    expect(text).to.contain('Trailer: X-Down\r\n').and.contain('0\r\nX-Down: yes\r\n\r\n');
  });

  it('reverse_proxy passes on interim responses immediately', async () => {
    const upstream = opened.add(
      await responding('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
    );
    const response = await opened.add(await serving([proxyTo(upstream.dial)])).request('/');
    expect(response.informational.map(({ status, headers }) => [status, headers.get('link')])).to.deep.equal([
      [103, '</a>'],
    ]);
    expect(response.headers.has('link')).to.equal(false);
    expect(response.text).to.equal('hi');
  });
});
