import { expect } from 'chai';
import { paceRule, type Exchange, type ServerLimits } from '@sluice/http-app';
import { exchangeBytes, letGo, listen, RawClient, withoutDate, type Handler, type TestListener } from '../harness.ts';

const get = (path: string, lines = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
const last = (path: string): string => get(path, 'Connection: close\r\n');
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Returns the bodies of responses with Content-Length, in order. */
function bodies(received: string): string[] {
  const found: string[] = [];
  let rest = received;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const length = Number(/Content-Length: (\d+)/.exec(rest.slice(0, end))?.[1] ?? 0);
    found.push(rest.slice(end + 4, end + 4 + length));
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('Http1Connection', () => {
  let handler: Handler;
  let listener: TestListener;

  before(async () => {
    listener = await listen((exchange) => handler(exchange));
  });
  beforeEach(() => {
    handler = ({ response, uri }) => response.end(uri);
  });
  after(() => listener.close());

  it('an HTTP/1 connection serves sequential requests', async () => {
    const client = new RawClient(listener.port);
    for (const path of ['/1', '/2', '/3']) {
      client.send(get(path));
      await client.includes(`\r\n\r\n${path}`);
    }
    expect(bodies(client.received)).to.deep.equal(['/1', '/2', '/3']);
    client.close();
  });

  it('an HTTP/1 connection responds to pipelined requests in order, in a single write', async () => {
    const client = new RawClient(listener.port);
    let pieces = 0;
    client.socket.on('data', () => pieces++);
    client.send(get('/1') + post('/2', 'abc') + get('/3') + last('/4') + get('/5'));
    expect(bodies(await client.all())).to.deep.equal(['/1', '/2', '/3', '/4']);
    expect(pieces).to.equal(1);
  });

  // Attack in docs/security.md: Ambiguous `Content-Length`, `Transfer-Encoding` and `Expect` fields, and ambiguous request targets
  // (`chunKed` with U+212A, empty folded lines, two `Expect` fields, `GET http://b\@c/`, CRLF after a body).
  it('an HTTP/1 connection accepts an empty line before a request only if the previous request had a body', async () => {
    const chunks = 'POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    const client = new RawClient(listener.port);
    client.send(`${post('/1', 'abc')}\r\n${post('/2', 'abc')}\n${chunks}\r\n\r\n${last('/3')}`);
    expect(bodies(await client.all())).to.deep.equal(['/1', '/2', '/c', '/3']);
    for (const text of [
      `\r\n${last('/3')}`,
      `${get('/1')}\r\n${last('/3')}`,
      `${post('/1', 'abc')}\r\n\r\n\r\n${last('/3')}`,
    ]) {
      const received = await new RawClient(listener.port).send(text).all();
      expect(received).to.contain('HTTP/1.1 400 Bad Request').and.not.contain('/3');
    }
  });

  it('an HTTP/1 connection ignores an empty line that arrives in pieces', async () => {
    const client = new RawClient(listener.port);
    client.send(post('/1', 'abc'));
    await client.includes('\r\n\r\n/1');
    for (const piece of ['\r', '\n', last('/2')]) {
      client.send(piece);
      await sleep(10);
    }
    expect(bodies(await client.all())).to.deep.equal(['/1', '/2']);
  });

  // Attack in docs/security.md: One-byte chunks through `reverse_proxy`.
  it('an HTTP/1 connection delivers many small packets in one read per event loop turn', async () => {
    // Client and server run in the same process. In each event loop turn, the server reads up to 64 KiB of the data written by the client.
    const turns = new Map<number, number>();
    let turn = 0;
    const count = (): void => {
      turn++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    handler = ({ body, response }) =>
      new Promise((resolve, reject) => {
        body.consume({
          onData: () => {
            turns.set(turn, (turns.get(turn) ?? 0) + 1);
            return true;
          },
          onEnd: () => {
            response.end('done');
            resolve();
          },
          onError: reject,
        });
      });
    const client = new RawClient(listener.port);
    client.send(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`,
    );
    await client.all();
    clearImmediate(next);
    expect(turns.size).to.be.above(5);
    expect(Math.max(...turns.values())).to.be.below(3);
  });

  // Attack in docs/security.md: One-byte chunks through `reverse_proxy`.
  it('an HTTP/1 connection merges the one-byte chunks that arrive in one read before it delivers them', async () => {
    let pieces = 0;
    let content = '';
    handler = ({ body, response }) =>
      new Promise((resolve, reject) => {
        body.consume({
          onData: (chunk) => {
            pieces++;
            content += chunk.toString('latin1');
            return true;
          },
          onEnd: () => {
            response.end('done');
            resolve();
          },
          onError: reject,
        });
      });
    const client = new RawClient(listener.port);
    client.send(
      `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(20_000)}0\r\n\r\n`,
    );
    await client.all();
    expect(content).to.equal('x'.repeat(20_000));
    expect(pieces).to.be.below(50);
  });

  it('an HTTP/1 connection preserves the order of pipelined responses when handlers wait', async () => {
    let running = 0;
    handler = async ({ response, uri }) => {
      expect(++running).to.equal(1);
      await sleep(uri === '/1' ? 20 : 1);
      running--;
      response.end(uri);
    };
    const client = new RawClient(listener.port).send(get('/1') + get('/2') + get('/3'));
    await sleep(5);
    client.send(last('/4'));
    expect(bodies(await client.all())).to.deep.equal(['/1', '/2', '/3', '/4']);
    expect(listener.server.errors).to.deep.equal([]);
  });

  it('an HTTP/1 connection accepts requests that arrive byte by byte', async () => {
    handler = async ({ response, body }) => response.end((await body.bytes(100)).toString());
    const client = new RawClient(listener.port);
    for (const byte of post('/1', 'abc') + last('/2')) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bodies(await client.all())).to.deep.equal(['abc', '']);
  });

  it('an HTTP/1 connection closes after protocol errors', async () => {
    const response = await exchangeBytes(
      listener.port,
      `${get('/1')}GET / HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n${get('/2')}`,
    );
    expect(response).to.equal(
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 2\r\n\r\n/1' +
        'HTTP/1.1 400 Bad Request: invalid header name\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n' +
        '400 Bad Request: invalid header name',
    );
  });

  it('an HTTP/1 connection does not send an error until it has received fourteen bytes', async () => {
    const client = new RawClient(listener.port).send('NONSENSE\r\n\r\n');
    await sleep(30);
    expect(client.received).to.equal('');
    client.send('xx');
    expect(await client.all()).to.include('400 Bad Request');
  });

  it('an HTTP/1 connection responds to OPTIONS * without calling a handler', async () => {
    const before = listener.server.count;
    const client = new RawClient(listener.port).send('OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n').send(last('/x'));
    const response = withoutDate(await client.all());
    expect(response.startsWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nServer')).to.equal(true);
    expect(listener.server.count).to.equal(before + 1);
  });

  it('an HTTP/1 connection rejects an empty Host and unknown expectations', async () => {
    expect(await exchangeBytes(listener.port, 'GET / HTTP/1.1\r\nHost:\r\n\r\n')).to.equal(
      'HTTP/1.1 400 Bad Request\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(await exchangeBytes(listener.port, get('/', 'Expect: teapots\r\n'))).to.equal(
      'HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
  });

  it('an HTTP/1 connection provides the local and remote addresses', async () => {
    const client = new RawClient(listener.port);
    handler = ({ connection, response }) => {
      const { remoteAddress, remotePort, localAddress, localPort, unix, tls } = connection;
      response.end(JSON.stringify([remoteAddress, remotePort, localAddress, localPort, unix, tls]));
    };
    client.send(get('/'));
    await client.includes('null]');
    const [body] = bodies(client.received);
    expect(JSON.parse(body ?? '')).to.deep.equal([
      '127.0.0.1',
      client.socket.localPort,
      '127.0.0.1',
      listener.port,
      false,
      null,
    ]);
    client.close();
  });

  describe('Http1Connection: request bodies', () => {
    it('HTTP/1 request bodies are delivered as they arrive', async () => {
      const chunks: string[] = [];
      handler = ({ body, response }) =>
        new Promise((resolve) => {
          body.consume({
            onData: (chunk) => {
              chunks.push(chunk.toString());
              return true;
            },
            onEnd: () => {
              response.end(`${body.length}`);
              resolve();
            },
            onError: () => undefined,
          });
        });
      const client = new RawClient(listener.port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc');
      await sleep(20);
      client.send('def');
      expect(bodies(await client.includes('\r\n\r\n6'))).to.deep.equal(['6']);
      expect(chunks).to.deep.equal(['abc', 'def']);
      client.close();
    });

    it('HTTP/1 request bodies are delivered with their trailers', async () => {
      handler = async ({ body, response }) => {
        const content = await body.bytes(100);
        response.end(`${content.toString()} ${JSON.stringify([...(body.trailers ?? [])])}`);
      };
      const received = await exchangeBytes(
        listener.port,
        'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, X-Forwarded-For\r\nConnection: close\r\n\r\n' +
          '3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 7\r\nX-Forwarded-For: 192.0.2.1\r\nX-Other: 8\r\n\r\n',
      );
      // Fields that are not announced and fields that identify the client are removed from the trailers.
      expect(bodies(received)).to.deep.equal(['abcde [["x-sum","7"]]']);
    });

    it('HTTP/1 request bodies are kept until a handler reads them', async () => {
      handler = async ({ body, response }) => {
        await sleep(20);
        response.end((await body.bytes(1e6)).length.toString());
      };
      const received = await exchangeBytes(listener.port, `${post('/', 'x'.repeat(300_000))}${last('/')}`);
      expect(bodies(received)).to.deep.equal(['300000', '0']);
    });

    it('an HTTP/1 request body can be paused and resumed', async () => {
      let paused = 0;
      handler = ({ body, response }) =>
        new Promise((resolve) => {
          let size = 0;
          body.consume({
            onData: (chunk) => {
              size += chunk.length;
              paused++;
              setTimeout(() => body.resume(), 1);
              return false;
            },
            onEnd: () => {
              response.end(String(size));
              resolve();
            },
            onError: () => undefined,
          });
        });
      const received = await exchangeBytes(listener.port, `${post('/', 'x'.repeat(400_000))}${last('/')}`);
      expect(bodies(received)).to.deep.equal(['400000', '0']);
      expect(paused).to.be.greaterThan(3);
    });

    it('HTTP/1 request body chunks are not overwritten after delivery', async () => {
      const kept: Buffer[] = [];
      handler = ({ body, response }) =>
        new Promise((resolve) => {
          body.consume({
            onData: (chunk) => {
              kept.push(chunk);
              return true;
            },
            onEnd: () => {
              response.end(Buffer.concat(kept));
              resolve();
            },
            onError: () => undefined,
          });
        });
      const client = new RawClient(listener.port).send(
        'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nConnection: close\r\n\r\n',
      );
      for (const piece of ['abc', 'def', 'ghi']) {
        await sleep(5);
        client.send(piece);
      }
      expect(bodies(await client.all())).to.deep.equal(['abcdefghi']);
    });

    it('unread HTTP/1 request bodies are discarded, up to a limit', async () => {
      const small = 'x'.repeat(200_000);
      expect(bodies(await exchangeBytes(listener.port, post('/1', small) + last('/2')))).to.deep.equal(['/1', '/2']);
      const client = new RawClient(listener.port).send(
        'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\nabc',
      );
      const response = await client.all();
      expect(bodies(response)).to.deep.equal(['/1']);
      expect(response).to.include('Connection: close');
    });

    it('unread HTTP/1 request bodies are also discarded if the response is late', async () => {
      handler = async ({ response, uri }) => {
        await sleep(10);
        response.end(uri);
      };
      const client = new RawClient(listener.port).send(
        'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      );
      await client.includes('/1');
      client.send(`cde\r\n0\r\n\r\n${last('/2')}`);
      expect(bodies(await client.all())).to.deep.equal(['/1', '/2']);
    });

    // Attack in docs/security.md: Headers and bodies sent one byte at a time, or never completed.
    it('endless HTTP/1 request bodies are not read indefinitely', async () => {
      const client = new RawClient(listener.port).send(
        'POST /1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
      for (let i = 0; i < 40 && !client.closed; i++) {
        client.send(chunk);
        await sleep(1);
      }
      expect(bodies(await client.all())).to.deep.equal(['/1']);
    });

    it('malformed HTTP/1 request bodies cause a 400 response, and the connection closes', async () => {
      handler = async ({ body, response }) => response.end(await body.bytes(100));
      const received = await exchangeBytes(
        listener.port,
        `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcX\r\n0\r\n\r\n${get('/2')}`,
      );
      expect(received).to.equal(
        'HTTP/1.1 400 Bad Request\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
    });

    it('truncated HTTP/1 request bodies fail', async () => {
      const failed = new Promise<unknown>((resolve) => {
        handler = async ({ body }) => {
          try {
            await body.bytes(100);
          } catch (error) {
            resolve(error);
          }
        };
      });
      const client = new RawClient(listener.port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab');
      await sleep(10);
      client.socket.end();
      expect(await failed).to.include({ status: 400 });
      await client.all();
    });

    it('HTTP/1 request bodies that are truncated by a connection reset are reported as a client error', async () => {
      const failed = new Promise<unknown>((resolve) => {
        handler = async ({ body }) => {
          try {
            await body.bytes(100);
          } catch (error) {
            resolve(error);
          }
        };
      });
      const client = new RawClient(listener.port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab');
      await sleep(10);
      client.socket.resetAndDestroy();
      expect(await failed).to.include({ code: 'ERR_CLIENT_GONE' });
    });

    it('HTTP/1 request bodies can have only one consumer', async () => {
      handler = async ({ body }) => {
        await body.bytes(100);
        await body.bytes(100);
      };
      expect(
        await exchangeBytes(listener.port, post('/', 'a').replace('Host', 'Connection: close\r\nHost')),
      ).to.include(' 500 ');
    });

    it('an HTTP/1 connection abandons the request body when the response ends first', async () => {
      const failed = new Promise<unknown>((resolve) => {
        handler = ({ body, response }) => {
          body.consume({ onData: () => true, onEnd: () => undefined, onError: resolve });
          response.end('early');
        };
      });
      const client = new RawClient(listener.port).send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab');
      await client.includes('early');
      expect(await failed).to.be.instanceOf(Error);
      handler = ({ response, uri }) => response.end(uri);
      client.send(`cde${last('/2')}`);
      expect(bodies(await client.all())).to.deep.equal(['early', '/2']);
    });
  });

  describe('Http1Connection: 100-continue', () => {
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n';

    it('100-continue is sent when a handler starts to read the body', async () => {
      handler = async ({ body, response }) => {
        await sleep(5);
        response.end(await body.bytes(10));
      };
      const client = new RawClient(listener.port).send(request);
      expect(await client.includes('\r\n\r\n')).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
      client.send('abc');
      expect(await client.includes('abc')).to.include('HTTP/1.1 200 OK');
      client.close();
    });

    it('100-continue is not sent if no handler reads the body, and the connection closes afterward', async () => {
      handler = ({ response }) => response.end('no');
      expect(await exchangeBytes(listener.port, request)).to.equal(
        'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno',
      );
    });

    it('an HTTP/1 connection does not send 100-continue if the body has already arrived', async () => {
      handler = async ({ body, response }) => {
        await sleep(10);
        response.end(await body.bytes(10));
      };
      const client = new RawClient(listener.port).send(`${request}abc`);
      expect(await client.includes('abc')).to.not.include('100 Continue');
      client.close();
    });
  });

  describe('Http1Connection: disconnecting clients', () => {
    it('a client that closes its sending side aborts the HTTP/1 exchange, but may still read the response', async () => {
      let seen: Exchange | null = null;
      handler = (exchange) =>
        new Promise((resolve) => {
          seen = exchange;
          exchange.signal.addEventListener('abort', () => {
            exchange.response.end('bye');
            resolve();
          });
        });
      const client = new RawClient(listener.port).send(get('/'));
      await sleep(10);
      client.socket.end();
      expect(bodies(await client.all())).to.deep.equal(['bye']);
      expect(seen).to.have.property('aborted', true);
    });

    // Attack in docs/security.md: A client resets its connection while a slow upstream does not read the body.
    it('an HTTP/1 connection detects a client reset even if the handler does not read the body', async () => {
      const gone = new Promise<Exchange>((resolve) => {
        handler = (exchange) => {
          exchange.signal.addEventListener('abort', () => resolve(exchange));
          exchange.body.consume({ onData: () => false, onEnd: () => undefined, onError: () => undefined });
          return new Promise(() => undefined);
        };
      });
      const client = new RawClient(listener.port);
      client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n');
      client.send('x'.repeat(1_000_000));
      await sleep(50);
      client.socket.resetAndDestroy();
      expect(await gone).to.have.property('aborted', true);
    });

    it('a half-closed HTTP/1 client receives the responses to its earlier requests', async () => {
      const client = new RawClient(listener.port);
      client.socket.end(get('/1') + get('/2'), 'latin1');
      expect(bodies(await client.all())).to.deep.equal(['/1', '/2']);
    });

    it('an HTTP/1 client that disconnects while idle or in the middle of a request head causes no error', async () => {
      for (const begin of ['', 'GET / HTT', get('/'), `${get('/')}GET /`]) {
        const client = new RawClient(listener.port).send(begin);
        await sleep(10);
        client.socket.end();
        await client.all();
      }
      await letGo(listener);
    });
  });

  describe('Http1Connection: timeouts', () => {
    async function timed(limits: Partial<ServerLimits>, use: (client: RawClient) => Promise<void>): Promise<number> {
      const slow = await listen((exchange) => handler(exchange), limits);
      try {
        const client = new RawClient(slow.port);
        const start = performance.now();
        await use(client);
        await client.all();
        return performance.now() - start;
      } finally {
        await slow.close();
      }
    }

    it('an HTTP/1 connection that never receives anything times out', async () => {
      const time = await timed({ readHeaderTimeout: 100 }, async (client) => {
        expect(await client.all()).to.equal('');
      });
      expect(time).to.be.within(90, 3000);
    });

    it('an incomplete HTTP/1 request head times out with an error response', async () => {
      const time = await timed({ readHeaderTimeout: 100, idleTimeout: 5000 }, async (client) => {
        client.send('GET / HTTP/1.1\r\nHost: a\r\n');
        expect(await client.all()).to.include('400 Bad Request');
      });
      expect(time).to.be.within(90, 3000);
    });

    it('an HTTP/1 request head that arrives too slowly times out', async () => {
      await timed({ readHeaderTimeout: 100 }, async (client) => {
        const drip = setInterval(() => client.send('x'), 20);
        client.send('GET / HTTP/1.1\r\nX: ');
        expect(await client.all()).to.include('400 Bad Request');
        clearInterval(drip);
      });
    });

    it('an idle HTTP/1 connection times out after a response', async () => {
      const time = await timed({ readHeaderTimeout: 5000, idleTimeout: 100 }, async (client) => {
        client.send(get('/'));
        expect(await client.all())
          .to.include('200 OK')
          .and.not.include('400');
      });
      expect(time).to.be.within(90, 3000);
    });

    it('an HTTP/1 request body that never arrives times out', async () => {
      handler = async ({ body, response }) => response.end(await body.bytes(10));
      await timed({ readTimeout: 100 }, async (client) => {
        client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na');
        expect(await client.all())
          .to.include('408 Request Timeout')
          .and.include('Connection: close');
      });
    });

    const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';
    const drip = async (client: RawClient, pause: number): Promise<void> => {
      client.send(post);
      for (const letter of 'hello') {
        await sleep(pause);
        client.send(letter);
      }
    };

    it('an HTTP/1 request body times out if it stalls, but not if it is slow', async () => {
      handler = async ({ body, response }) => response.end(await body.bytes(10));
      await timed({ readPace: paceRule(200) }, async (client) => {
        await drip(client, 90);
        expect(await client.includes('hello')).to.include('200 OK');
        await drip(client, 500);
        expect(await client.all()).to.include('408 Request Timeout');
      });
    });

    // Attack in docs/security.md: Slow clients, if `read_idle_timeout`, `read_min_rate` and `timeouts` are configured.
    it('an HTTP/1 request body below the minimum rate times out', async () => {
      handler = async ({ body, response }) => response.end(await body.bytes(10));
      await timed({ readPace: paceRule(200, 1000) }, async (client) => {
        await drip(client, 90);
        expect(await client.all()).to.include('408 Request Timeout');
      });
    });

    it('an HTTP/1 connection waits at most a limited time for the rest of a body that no handler reads', async () => {
      handler = ({ response }) => response.end('early');
      const time = await timed({ readPace: paceRule(150) }, async (client) => {
        client.send(`${post}he`);
        expect(await client.all()).to.include('early');
      });
      expect(time).to.be.within(140, 4000);
    });

    it('a slow handler does not cause a body timeout', async () => {
      handler = async ({ body, response }) => {
        await new Promise<void>((resolve, reject) => {
          body.consume({
            onData: () => {
              setTimeout(() => body.resume(), 400);
              return false;
            },
            onEnd: resolve,
            onError: reject,
          });
        });
        response.end('all read');
      };
      await timed({ readPace: paceRule(150, 100) }, async (client) => {
        client.send(`${post}he`);
        await sleep(20);
        client.send('llo');
        expect(await client.includes('all read')).to.include('200 OK');
        client.close();
      });
    });

    // Attack in docs/security.md: Slow clients, if `read_idle_timeout`, `read_min_rate` and `timeouts` are configured.
    it('timeouts set by handlers override server timeouts', async () => {
      handler = async ({ body, connection, response }) => {
        connection.setPace?.('body', paceRule(1000));
        response.end(await body.bytes(10));
      };
      await timed({ readPace: paceRule(100) }, async (client) => {
        await drip(client, 180);
        expect(await client.includes('hello')).to.include('200 OK');
        client.close();
      });
    });

    for (const end of ['keep-alive', 'close']) {
      it(`an HTTP/1 response times out if the client does not read it, with Connection: ${end}`, async () => {
        handler = ({ response }) => response.end(Buffer.alloc(32 * 1024 * 1024, 'x'));
        const time = await timed({ writePace: paceRule(200) }, async (client) => {
          client.socket.pause();
          client.send(`GET / HTTP/1.1\r\nHost: a\r\nConnection: ${end}\r\n\r\n`);
          await sleep(1200);
          client.socket.resume();
          await client.all();
          expect(client.received.length).to.be.lessThan(32 * 1024 * 1024);
        });
        expect(time).to.be.lessThan(4000);
      });
    }

    it('an HTTP/1 client may read a large response slowly', async () => {
      const size = 12 * 1024 * 1024;
      handler = ({ response }) => response.end(Buffer.alloc(size, 'x'));
      await timed({ writePace: paceRule(250) }, async (client) => {
        client.socket.pause();
        client.send(get('/'));
        const taken = setInterval(() => client.socket.read(), 20);
        await client.until((received) => received.length > size);
        clearInterval(taken);
        client.close();
      });
    });

    it('an HTTP/1 response that exceeds the write timeout is aborted', async () => {
      let goOn = (): void => undefined;
      const cut = new Promise<void>((resolve) => (goOn = resolve));
      handler = async ({ response }) => {
        response.write('a');
        response.flush();
        await cut;
      };
      const time = await timed({ writeTimeout: 100 }, async (client) => {
        client.send(get('/'));
        await client.all();
        goOn();
      });
      expect(time).to.be.above(90);
    });

    it('an HTTP/1 connection stays open before its timeouts expire', async () => {
      const most = 1000;
      const limits = { readHeaderTimeout: most, idleTimeout: most, readTimeout: most, writeTimeout: most };
      await timed(limits, async (client) => {
        for (let i = 1; i <= 6; i++) {
          await sleep(250);
          client.send(get('/'));
          await client.until((received) => bodies(received).length === i);
        }
      });
    });
  });

  describe('Http1Connection: upgrades', () => {
    it('an HTTP/1 upgrade hands over the socket and the bytes already read', async () => {
      handler = ({ connection, response }) =>
        new Promise((resolve) => {
          response.headers.set('upgrade', 'echo');
          response.headers.set('connection', 'Upgrade');
          response.writeHead(101);
          const upgraded = connection.upgrade();
          if (upgraded === null) throw new Error('no upgrade');
          const { socket, head } = upgraded;
          socket.write(`head:${head.toString()};`);
          socket.on('data', (chunk: Buffer) => socket.write(chunk));
          socket.resume();
          socket.on('end', () => {
            socket.end();
            resolve();
          });
        });
      const client = new RawClient(listener.port).send(`${get('/', 'Connection: Upgrade\r\nUpgrade: echo\r\n')}early`);
      expect(withoutDate(await client.includes('early;'))).to.equal(
        'HTTP/1.1 101 Switching Protocols\r\nServer: Sluice\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhead:early;',
      );
      for (const word of ['one', 'two', 'three']) await client.send(word).includes(word);
      client.socket.end();
      await client.all();
      await letGo(listener);
    });

    it('an upgraded HTTP/1 connection transfers large amounts of data in both directions', async () => {
      handler = async ({ connection, response }) => {
        response.writeHead(101);
        await sleep(5);
        const upgraded = connection.upgrade();
        upgraded?.socket.write(upgraded.head);
        upgraded?.socket.pipe(upgraded.socket);
      };
      const client = new RawClient(listener.port).send(get('/', 'Connection: Upgrade\r\nUpgrade: echo\r\n'));
      const words = Array.from({ length: 40 }, (_, i) => `${i}${'y'.repeat(50_000)}`).join('');
      client.send(words);
      const received = await client.until((so) => so.length >= words.length + so.indexOf('\r\n\r\n') + 4);
      expect(received.endsWith(words)).to.equal(true);
      client.close();
    });

    it('an HTTP/1 connection ignores the Upgrade field if the response is not 101 or the client pipelines more requests', async () => {
      const request = get('/1', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
      expect(bodies(await exchangeBytes(listener.port, request + last('/2')))).to.deep.equal(['/1', '/2']);
    });

    it('an HTTP/1 upgrade requires an exchange that is still in progress', async () => {
      let refused: unknown;
      handler = ({ connection, response }) => {
        response.end('a');
        refused = connection.upgrade();
      };
      await exchangeBytes(listener.port, last('/'));
      expect(refused).to.equal(null);
    });

    it('an HTTP/1 upgrade that no handler takes over closes the connection', async () => {
      handler = ({ response }) => response.writeHead(101);
      expect(await exchangeBytes(listener.port, get('/'))).to.equal(
        'HTTP/1.1 101 Switching Protocols\r\nServer: Sluice\r\n\r\n',
      );
    });
  });

  it('an HTTP/1 connection stops reading while the client does not read responses', async () => {
    handler = ({ response }) => response.end('x'.repeat(1000));
    const client = new RawClient(listener.port);
    client.socket.pause();
    const before = listener.server.count;
    const many = get('/').repeat(1000);
    for (let i = 0; i < 100; i++) client.send(many);
    await sleep(200);
    const begun = listener.server.count - before;
    expect(begun).to.be.greaterThan(0).and.lessThan(60_000);
    client.socket.resume();
    client.send(last('/'));
    const received = await client.all();
    expect(received.split('HTTP/1.1 200').length - 1).to.equal(100_001);
  });

  it('an HTTP/1 connection does not discard unread responses of a slow client', async () => {
    const size = 20_000_000;
    handler = ({ response }) => response.end(Buffer.alloc(size, 'x'));
    const client = new RawClient(listener.port);
    client.socket.pause();
    client.send(last('/'));
    await sleep(2500);
    client.socket.resume();
    const received = await client.all();
    expect(received.length).to.be.greaterThan(size);
  });

  it('an HTTP/1 connection is rejected if HTTP/1 is disabled', async () => {
    const other = await listen(({ response }) => response.end('x'), {}, ['h2c']);
    expect(await new RawClient(other.port).send(get('/')).all()).to.equal('');
    await other.close();
  });

  it('a closed HTTP/1 connection releases all resources', async () => {
    await letGo(listener);
  });
});
