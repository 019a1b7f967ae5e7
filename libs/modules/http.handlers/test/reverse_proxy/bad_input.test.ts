import { expect } from 'chai';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, type LogEntry } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { readUpstreams } from './admin.ts';
import {
  responding,
  conversation,
  listeningServer,
  Opened,
  packages,
  proxyTo,
  rawUpstream,
  until,
  type RawUpstream,
} from './support.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('http.handlers.reverse_proxy: bad input', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function requestsInFlight(proxy: TestServer): Promise<number> {
    return (await readUpstreams(proxy)).reduce((sum, { num_requests }) => sum + num_requests, 0);
  }

  /** Starts an upstream that responds to each complete request and records the request heads. */
  async function counting(): Promise<RawUpstream & { readonly heads: () => string[] }> {
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        if (/\r\n\r\n(?:.*0\r\n\r\n|abc)?$/s.test(text)) socket.write(ok);
      }),
    );
    const heads = (): string[] => upstream.received.flatMap((text) => text.match(/^\w+ \S+ HTTP\/1\.1$/gm) ?? []);
    return { ...upstream, heads };
  }

  describe('http.handlers.reverse_proxy: bad input of clients', () => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: s\r\n\r\n';
    const attacks: readonly [what: string, head: string, body: string, status: number, passes: number][] = [
      ['conflicting Content-Length fields', 'Content-Length: 3\r\nContent-Length: 4', 'abcd', 400, 0],
      [
        'Content-Length with Transfer-Encoding',
        'Content-Length: 5\r\nTransfer-Encoding: chunked',
        `0\r\n\r\n${smuggled}`,
        200,
        1,
      ],
      ['an unknown transfer coding', 'Transfer-Encoding: gzip', smuggled, 501, 0],
      ['a space before the colon of Transfer-Encoding', 'Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`, 400, 0],
      ['two Host fields', 'Host: other', '', 400, 0],
      ['a bare carriage return', 'X-A: a\rTransfer-Encoding: chunked', '', 400, 0],
      ['an invalid chunk size', 'Transfer-Encoding: chunked', `zz\r\n${smuggled}`, 400, 1],
      [
        'a chunk that is longer than its size',
        'Transfer-Encoding: chunked',
        `2\r\nabc\r\n0\r\n\r\n${smuggled}`,
        400,
        1,
      ],
    ];
    for (const [what, head, body, status, passes] of attacks) {
      it(`reverse_proxy forwards nothing after ${what}`, async () => {
        const upstream = await counting();
        const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
        const text = await conversation(proxy.port, `POST /a HTTP/1.1\r\nHost: h\r\n${head}\r\n\r\n${body}`, 150);
        expect(text).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(text.match(/^HTTP\/1\.1 /gm)).to.have.lengthOf(1);
        expect(upstream.heads()).to.have.lengthOf.at.most(passes);
        expect(upstream.received.join('')).not.to.contain('smuggled');
        expect(await requestsInFlight(proxy)).to.equal(0);
      });
    }

    it('reverse_proxy unfolds folded lines, and removes chunk extensions', async () => {
      const upstream = await counting();
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const head = 'POST /a HTTP/1.1\r\nHost: h\r\nX-Fold: a\r\n\tb\r\nTransfer-Encoding: chunked\r\n\r\n';
      const text = await conversation(proxy.port, `${head}3;name="x\\"y"\r\nabc\r\n0;last\r\n\r\n`, 150);
      expect(text).to.match(/^HTTP\/1\.1 200 /);
      expect(upstream.received[0])
        .to.contain('\r\nX-Fold: a b\r\n')
        .and.match(/\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/);
    });
  });

  describe('http.handlers.reverse_proxy: bad input of upstreams', () => {
    const extras: readonly [what: string, extra: string][] = [
      ['a second response', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'],
      ['arbitrary bytes', 'and more'],
      ['an empty line', '\r\n'],
    ];
    for (const [what, extra] of extras) {
      it(`reverse_proxy does not send ${what} to a client after the end of a response`, async () => {
        let first = true;
        const upstream = opened.add(
          await rawUpstream((_text, socket) => {
            socket.write(first ? `${ok}${extra}` : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood');
            first = false;
          }),
        );
        const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
        const ask = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
        const text = await conversation(proxy.port, ask, 100);
        expect(text).to.match(/\r\n\r\nok$/);
        expect(await conversation(proxy.port, ask, 100)).to.match(/\r\n\r\ngood$/);
        expect(upstream.received).to.have.lengthOf(2);
      });
    }

    // Attack in docs/security.md: Endless response headers or bodies.
    it('reverse_proxy fails a request when an endless response head reaches the size limit', async () => {
      const line = `X: ${'x'.repeat(1000)}\r\n`;
      const upstream = opened.add(
        await rawUpstream((_text, socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          const pump = (): void => {
            while (!socket.destroyed && socket.write(line));
          };
          socket.on('drain', pump);
          pump();
        }),
      );
      const transport = { protocol: 'http', max_response_header_size: 200_000 };
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial, { transport })]));
      expect(await conversation(proxy.port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n')).to.match(/^HTTP\/1\.1 502 /);
      await until(() => upstream.sockets.every((socket) => socket.closed), 'the end of the connection');
      expect(await requestsInFlight(proxy)).to.equal(0);
    });

    it('reverse_proxy stops reading an endless body when the client disconnects', async () => {
      let written = 0;
      const upstream = opened.add(
        await rawUpstream((_text, socket) => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          const pump = (): void => {
            while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written++;
          };
          socket.on('drain', pump);
          pump();
        }),
      );
      const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
      const client = connect(proxy.port, '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await until(() => written > 100, 'some megabytes');
      client.destroy();
      await until(() => upstream.sockets[0]?.closed === true, 'the end of the connection');
      expect(await requestsInFlight(proxy)).to.equal(0);
    });
  });

  describe('http.handlers.reverse_proxy: two thousand disconnecting clients', () => {
    const count = 2000;
    const moments: readonly [when: string, request: string, response: string][] = [
      ['before the upstream responds', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', ''],
      [
        'in the middle of a response body',
        'GET / HTTP/1.1\r\nHost: h\r\n\r\n',
        'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc',
      ],
      ['in the middle of a request body', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc', ''],
    ];
    for (const [when, request, response] of moments) {
      it(`reverse_proxy releases all resources of two thousand disconnected clients: ${when} @long`, async function () {
        this.timeout(30_000);
        const upstream = opened.add(await responding(response));
        const proxy = opened.add(await listeningServer([proxyTo(upstream.dial)]));
        for (let round = 0; round < 4; round++) {
          const before = upstream.received.length;
          const clients: Socket[] = [];
          for (let i = 0; i < count / 4; i++) {
            const client = connect(proxy.port, '127.0.0.1');
            client.on('error', () => undefined);
            client.write(request);
            clients.push(client);
          }
          await until(() => upstream.received.length === before + count / 4, 'their requests');
          for (const client of clients) client.destroy();
          await until(() => upstream.sockets.every((socket) => socket.closed), 'the end of all connections');
        }
        await sleep(20);
        expect(await requestsInFlight(proxy)).to.equal(0);
        expect((await readUpstreams(proxy))[0]).to.include({ fails: 0 });
      });
    }

    it('reverse_proxy logs a disconnected client with status 499', async () => {
      const entries: LogEntry[] = [];
      const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
      const upstream = opened.add(await responding(''));
      const routes = [{ handle: [proxyTo(upstream.dial)] }];
      const proxy = opened.add(
        await serve(withRoutes(routes, { listen: ['127.0.0.1:0'], logs: {} }), { ...packages, log }),
      );
      const address = proxy.runtime.app(httpApp)?.servers.get('s')?.listeners[0]?.address as AddressInfo;
      const client = connect(address.port, '127.0.0.1');
      client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await until(() => upstream.received.length === 1, 'the request');
      client.destroy();
      const written = (): LogEntry | undefined => entries.find(({ logger }) => logger === 'http.log.access');
      await until(() => written() !== undefined, 'the entry');
      expect(written()?.fields).to.include({ status: 499 });
    });
  });
});
