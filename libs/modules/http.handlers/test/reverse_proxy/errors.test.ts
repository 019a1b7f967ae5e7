import { expect } from 'chai';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, type JsonObject, type LogEntry } from '@sluice/base';
import { serve, withRoutes } from '@sluice/testing';
import {
  responding,
  conversation,
  deadAddress,
  listeningServer,
  Opened,
  packages,
  proxyTo,
  rawUpstream,
  serving,
  until,
} from './support.ts';

describe('http.handlers.reverse_proxy: errors', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  const head = 'HTTP/1.1 200 OK\r\n';
  const bad: readonly [what: string, received: string, then: 'keep' | 'end' | 'reset', transport?: JsonObject][] = [
    ['closes the connection without a response', '', 'end'],
    ['closes the connection within the response head', `${head}Content-Le`, 'end'],
    ['resets the connection', head, 'reset'],
    ['sends no status line', 'hello\r\n\r\n', 'keep'],
    ['sends an unknown protocol name', 'HTTQ/1.1 200 OK\r\n\r\n', 'keep'],
    ['sends an HTTP version without a dot', 'HTTP/1 200 OK\r\n\r\n', 'keep'],
    ['sends a two-digit status code', 'HTTP/1.1 20 OK\r\n\r\n', 'keep'],
    ['sends a four-digit status code', 'HTTP/1.1 2000 OK\r\n\r\n', 'keep'],
    ['sends the status code 099', 'HTTP/1.1 099 OK\r\n\r\n', 'keep'],
    ['sends a header line without a colon', `${head}Content-Length 2\r\n\r\nhi`, 'keep'],
    ['sends a header line without a name', `${head}: x\r\n\r\n`, 'keep'],
    ['sends a NUL byte in a field value', `${head}X: a\0b\r\n\r\n`, 'keep'],
    ['sends a bare carriage return in a field value', `${head}X: a\rb\r\n\r\n`, 'keep'],
    ['sends conflicting Content-Length fields', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi`, 'keep'],
    ['sends a negative Content-Length', `${head}Content-Length: -2\r\n\r\nhi`, 'keep'],
    ['sends a non-numeric Content-Length', `${head}Content-Length: 2x\r\n\r\nhi`, 'keep'],
    ['sends an unknown transfer coding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 'keep'],
    ['spells chunked with a Kelvin sign', `${head}Transfer-Encoding: chun\xe2\x84\xaaed\r\n\r\n0\r\n\r\n`, 'keep'],
    ['sends a no-break space before chunked', `${head}Transfer-Encoding:\r\n \xc2\xa0chunked\r\n\r\n0\r\n\r\n`, 'keep'],
    ['sends a folded blank line after chunked', `${head}Transfer-Encoding: chunked\r\n \r\n\r\n0\r\n\r\n`, 'keep'],
    [
      'sends Transfer-Encoding: chunked twice',
      `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'keep',
    ],
    ['switches protocols without an upgrade request', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n', 'keep'],
    [
      'sends a response head that is too large',
      `${head}X: ${'x'.repeat(100)}\r\n\r\n`,
      'keep',
      { protocol: 'http', max_response_header_size: 64 },
    ],
  ];
  for (const [what, received, then, transport] of bad) {
    it(`reverse_proxy returns 502 if the upstream ${what}`, async () => {
      const upstream = opened.add(await responding(received, then));
      const proxy = opened.add(await serving([proxyTo(upstream.dial, transport === undefined ? {} : { transport })]));
      const response = await proxy.request('/');
      expect(response).to.include({ status: 502, text: '' });
      expect(await counts(proxy)).to.deep.equal([0]);
    });
  }

  it('reverse_proxy returns 502 for addresses that cannot be dialed', async () => {
    for (const dial of [
      await deadAddress(),
      '',
      'no-port',
      'http://127.0.0.1:80',
      '127.0.0.1:99999',
      '127.0.0.1:1-3',
      'unix//nowhere/at.sock',
      '{http.vars.none}',
    ]) {
      const proxy = opened.add(await serving([proxyTo(dial)]));
      expect((await proxy.request('/')).status, dial).to.equal(502);
    }
  });

  it('reverse_proxy returns 503 if there are no upstreams', async () => {
    expect((await opened.add(await serving([proxyTo([])])).request('/')).status).to.equal(503);
  });

  it('reverse_proxy returns 504 if the upstream does not respond in time', async () => {
    const upstream = opened.add(await responding(''));
    for (const name of ['response_header_timeout', 'read_timeout']) {
      const proxy = opened.add(
        await serving([proxyTo(upstream.dial, { transport: { protocol: 'http', [name]: '100ms' } })]),
      );
      expect((await proxy.request('/')).status).to.equal(504);
      expect((await proxy.request({ method: 'POST', body: 'x' })).status).to.equal(504);
      expect(await counts(proxy)).to.deep.equal([0]);
    }
  });

  it('error routes handle errors of the proxy, not error responses of upstreams', async () => {
    const errors = { routes: [{ handle: [{ handler: 'static_response', body: 'sorry {http.error.status_code}' }] }] };
    const dead = opened.add(await serving([proxyTo(await deadAddress())], { errors }));
    expect(await dead.request('/')).to.include({ status: 502, text: 'sorry 502' });
    const upstream = opened.add(await responding('HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno'));
    expect(await opened.add(await serving([proxyTo(upstream.dial)], { errors })).request('/')).to.include({
      status: 500,
      text: 'no',
    });
  });

  it('reverse_proxy returns 413 if the request body exceeds request_body', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 204 No Content\r\n\r\n'));
    const proxy = opened.add(await listeningServer([{ handler: 'request_body', max_size: 4 }, proxyTo(upstream.dial)]));
    const text = await conversation(
      proxy.port,
      'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n',
    );
    expect(text).to.match(/^HTTP\/1\.1 413 /);
  });

  const cuts: readonly [what: string, received: string, expected: RegExp][] = [
    ['a body with Content-Length', `${head}Content-Length: 10\r\n\r\nabc`, /Content-Length: 10\r\n.*\r\nabc$/s],
    ['a chunked body', `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`, /\r\n3\r\nabc\r\n$/],
    ['a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n9\r\nabc`, /\r\n3\r\nabc\r\n$/],
    [
      'a chunked body with an invalid chunk',
      `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`,
      /\r\n3\r\nabc\r\n$/,
    ],
  ];
  for (const [what, received, expected] of cuts) {
    it(`reverse_proxy closes the client connection when ${what} is truncated`, async () => {
      const upstream = opened.add(await responding(received, 'end'));
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const text = await conversation(proxy.port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      expect(text)
        .to.match(/^HTTP\/1\.1 200 OK/)
        .and.match(expected)
        .and.not.match(/\r\n0\r\n\r\n$/);
    });
  }

  it('reverse_proxy aborts the upstream request when the client disconnects, before and during the response', async () => {
    for (const response of ['', `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`]) {
      const upstream = opened.add(await responding(response));
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const clients = Array.from({ length: 5 }, () => connect(proxy.port, '127.0.0.1'));
      for (const client of clients) client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await until(() => upstream.received.length === 5, 'five requests');
      await until(() => upstream.received.every((text) => text.endsWith('\r\n\r\n')), 'their ends');
      await sleep(150);
      for (const client of clients) client.destroy();
      await until(() => upstream.sockets.every((socket) => socket.closed), 'the end of all connections');
      expect(await counts(proxy)).to.deep.equal([0]);
    }
  });

  it('reverse_proxy logs the result of each attempt at level debug', async () => {
    const upstream = opened.add(await responding('HTTP/1.1 204 No Content\r\n\r\n'));
    const dead = await deadAddress();
    const load_balancing = { selection_policy: { policy: 'first' }, retries: 1 };
    for (const verbose_logs of [false, true]) {
      const entries: LogEntry[] = [];
      const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
      const handler = proxyTo([dead, upstream.dial], { load_balancing, verbose_logs });
      const proxy = opened.add(await serve(withRoutes([{ handle: [handler] }]), { ...packages, log }));
      expect((await proxy.request('/a?b')).status).to.equal(204);
      const tries = entries.filter(({ message }) => message === 'upstream roundtrip');
      expect(tries.map(({ level, logger }) => `${level} ${logger}`)).to.deep.equal(
        Array.from({ length: 2 }, () => 'debug http.handlers.reverse_proxy'),
      );
      expect(tries[0]?.fields).to.include({ upstream: dead }).and.to.have.property('error');
      expect(tries[1]?.fields).to.include({ upstream: upstream.dial, status: 204 });
      expect(tries[1]?.fields['uri']).to.equal(verbose_logs ? '/a?b' : undefined);
    }
  });

  it('reverse_proxy reads upstream responses no faster than the client reads', async () => {
    let written = 0;
    const upstream = opened.add(
      await rawUpstream((_text, socket) => {
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
        const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
        const pump = (): void => {
          while (written < 2000 && socket.write(chunk)) written++;
        };
        socket.on('drain', pump);
        pump();
      }),
    );
    const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
    const client = connect(proxy.port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    client.pause();
    await sleep(400);
    const before = written;
    await sleep(200);
    expect(written).to.equal(before).and.to.be.lessThan(1900);
    let size = 0;
    client.on('data', (chunk) => (size += chunk.length));
    client.resume();
    await until(() => size > before * 65536 + 8_000_000, 'the rest');
    client.destroy();
  });

  async function counts(proxy: Awaited<ReturnType<typeof serving>>): Promise<readonly number[]> {
    const { readUpstreams } = await import('./admin.ts');
    return (await readUpstreams(proxy)).map((entry) => entry.num_requests);
  }
});
