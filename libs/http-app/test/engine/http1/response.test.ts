import { expect } from 'chai';
import { HeaderMap } from '@sluice/http1';
import type { Exchange } from '@sluice/http-app';
import {
  exchangeBytes,
  listen,
  parseResponse,
  RawClient,
  withoutDate,
  type Handler,
  type TestListener,
} from '../harness.ts';

const close = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const big = 'x'.repeat(3000);

function fields(values: Record<string, string>): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(values)) map.append(name, value);
  return map;
}

describe('HTTP/1 responses', () => {
  let handler: Handler;
  let listener: TestListener;

  before(async () => {
    listener = await listen((exchange) => handler(exchange));
  });
  after(() => listener.close());

  const responses: [what: string, handler: Handler, received: string][] = [
    [
      'status 200 and no body if no handler responds',
      () => undefined,
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'a head and a body with a known length',
      ({ response }) => {
        response.headers.set('content-type', 'text/plain');
        response.writeHead(404);
        response.end('not here');
      },
      'HTTP/1.1 404 Not Found\r\nServer: Sluice\r\nContent-Type: text/plain\r\nContent-Length: 8\r\nConnection: close\r\n\r\nnot here',
    ],
    [
      'a Content-Length if a small body is written in pieces',
      ({ response }) => {
        response.write('a');
        response.write(Buffer.from('b'));
        response.write('é');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab\xc3\xa9',
    ],
    [
      'chunked encoding if the body is larger than the buffer',
      ({ response }) => {
        response.write('ab');
        response.write(big);
        response.end('é');
      },
      `HTTP/1.1 200 OK\r\nServer: Sluice\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\nbb8\r\n${big}\r\n2\r\n\xc3\xa9\r\n0\r\n\r\n`,
    ],
    [
      'chunked encoding after a flush',
      ({ response }) => {
        response.write('ab');
        response.flush();
        response.write('cd');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n',
    ],
    [
      'the Content-Length that the handler set if the body is written in pieces',
      ({ response }) => {
        response.headers.set('content-length', '3002');
        response.write(big);
        response.end('ab');
      },
      `HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 3002\r\nConnection: close\r\n\r\n${big}ab`,
    ],
    [
      'chunked encoding if the handler requests it',
      ({ response }) => {
        response.headers.set('transfer-encoding', 'chunked');
        response.headers.set('content-length', '2');
        response.end('ab');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n0\r\n\r\n',
    ],
    [
      'no data after a body that is shorter than its Content-Length',
      ({ response }) => {
        response.headers.set('content-length', '5');
        response.end('ab');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 5\r\nConnection: close\r\n\r\nab',
    ],
    [
      'no body if the body is longer than its Content-Length',
      ({ response }) => {
        response.headers.set('content-length', '1');
        response.end('ab');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 1\r\nConnection: close\r\n\r\n',
    ],
    [
      'no body with status 304',
      ({ response }) => {
        response.headers.set('content-type', 'text/plain');
        response.headers.set('content-length', '2');
        response.writeHead(304);
        response.end('ab');
      },
      'HTTP/1.1 304 Not Modified\r\nServer: Sluice\r\nConnection: close\r\n\r\n',
    ],
    [
      'a generic reason phrase for an unknown status',
      ({ response }) => response.writeHead(799),
      'HTTP/1.1 799 status code 799\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'no Server field if the handler deleted it',
      ({ response }) => {
        response.headers.delete('server');
      },
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'field names in canonical form, and no invalid field names',
      ({ response }) => {
        for (const name of ['www-authenticate', 'x-a_b.c', 'bad name', '', 'x:y', 'x\r\ny'])
          response.headers.append(name, 'v');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nWww-Authenticate: v\r\nX-A_b.c: v\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'no line breaks in field values',
      ({ response }) => {
        response.headers.set('x-a', ' a\r\nSet-Cookie: b\0\tc\x7f ');
        response.headers.set('x-b', 'é€\udce9');
        response.headers.append('x-b', '');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nX-A: a  Set-Cookie: b \tc\r\nX-B: \xc3\xa9\xe2\x82\xac\xe9\r\nX-B: \r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'informational responses before the final response',
      ({ response }) => {
        response.writeInformational(103, fields({ link: '</a>', 'content-length': '3' }));
        response.writeHead(102);
        response.writeHead(202);
      },
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\nServer: Sluice\r\n\r\nHTTP/1.1 202 Accepted\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'trailers after a chunked body',
      ({ response }) => {
        response.setTrailers(fields({ 'x-sum': '1', 'content-length': '7' }));
        response.end('ab');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n',
    ],
    [
      'the connection options that the handler set',
      ({ response }) => {
        response.headers.set('connection', 'X-Hop, keep-alive');
        response.headers.set('x-hop', '1');
      },
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nX-Hop: 1\r\nContent-Length: 0\r\nConnection: X-Hop, close\r\n\r\n',
    ],
    [
      'only the first head',
      ({ response }) => {
        response.writeHead(201);
        response.headers.set('x-late', '1');
        response.writeHead(500);
        response.end();
        response.end('more');
        response.write('more');
      },
      'HTTP/1.1 201 Created\r\nServer: Sluice\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'large buffers and strings unchanged',
      ({ response }) => {
        response.write(Buffer.alloc(20_000, 'b'));
        response.end('é'.repeat(5000));
      },
      `HTTP/1.1 200 OK\r\nServer: Sluice\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n4e20\r\n${'b'.repeat(20_000)}\r\n2710\r\n${'\xc3\xa9'.repeat(5000)}\r\n0\r\n\r\n`,
    ],
    [
      'the Content-Length of a large string',
      ({ response }) => response.end('é'.repeat(5000)),
      `HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 10000\r\nConnection: close\r\n\r\n${'\xc3\xa9'.repeat(5000)}`,
    ],
    [
      'the Content-Length of a large buffer',
      ({ response }) => response.end(Buffer.alloc(20_000, 'b')),
      `HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Length: 20000\r\nConnection: close\r\n\r\n${'b'.repeat(20_000)}`,
    ],
  ];
  for (const [what, of, received] of responses) {
    it(`an HTTP/1 response has ${what}`, async () => {
      handler = of;
      expect(await exchangeBytes(listener.port, close)).to.equal(received);
    });
  }

  it('an HTTP/1 response is the same when the handler is asynchronous', async () => {
    handler = async ({ response }) => {
      await Promise.resolve();
      response.headers.set('content-type', 'a/b');
      response.write('a');
      await new Promise((resolve) => setImmediate(resolve));
      response.end('b');
    };
    expect(await exchangeBytes(listener.port, close)).to.equal(
      'HTTP/1.1 200 OK\r\nServer: Sluice\r\nContent-Type: a/b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab',
    );
  });

  it('an HTTP/1 response contains a Date field unless a handler has set it', async () => {
    handler = () => undefined;
    const received = await new RawClient(listener.port).send(close).all();
    const date = /Date: ([^\r]+ GMT)\r\n/.exec(received)?.[1] ?? '';
    expect(Math.abs(Date.parse(date) - Date.now())).to.be.lessThan(3000);
    handler = ({ response }) => response.headers.set('date', 'never');
    expect(await new RawClient(listener.port).send(close).all())
      .to.include('\r\nDate: never\r\n')
      .and.not.include('GMT');
  });

  describe('HTTP/1 responses to HEAD', () => {
    const cases: [what: string, handler: Handler, received: string][] = [
      ['no Content-Length if nothing was written', () => undefined, ''],
      ['the Content-Length of the written body', ({ response }) => response.end('abc'), 'Content-Length: 3\r\n'],
      [
        'the Content-Length that the handler set',
        ({ response }) => response.headers.set('content-length', '99'),
        'Content-Length: 99\r\n',
      ],
      [
        'no Content-Length if the body is written in pieces',
        ({ response }) => {
          response.write(big);
          response.write(big);
        },
        '',
      ],
    ];
    for (const [what, of, line] of cases) {
      it(`a response to HEAD has ${what}`, async () => {
        handler = of;
        const response = await exchangeBytes(listener.port, close.replace('GET', 'HEAD'));
        expect(response).to.equal(`HTTP/1.1 200 OK\r\nServer: Sluice\r\n${line}Connection: close\r\n\r\n`);
      });
    }
  });

  describe('HTTP/1 responses to HTTP/1.0 requests', () => {
    it('a response to an HTTP/1.0 request closes the connection', async () => {
      handler = ({ response }) => response.end('a');
      expect(await exchangeBytes(listener.port, 'GET / HTTP/1.0\r\n\r\n')).to.equal(
        'HTTP/1.0 200 OK\r\nServer: Sluice\r\nContent-Length: 1\r\n\r\na',
      );
    });

    it('the server sends Connection: close if a handler closes an HTTP/1.0 connection', async () => {
      handler = ({ response }) => {
        response.headers.set('connection', 'close');
        response.end('a');
      };
      for (const asked of ['', 'Connection: keep-alive\r\n'])
        expect(await exchangeBytes(listener.port, `GET / HTTP/1.0\r\n${asked}\r\n`)).to.equal(
          'HTTP/1.0 200 OK\r\nServer: Sluice\r\nContent-Length: 1\r\nConnection: close\r\n\r\na',
        );
    });

    it('an HTTP/1.0 connection stays open if the client asks for keep-alive and the length is known', async () => {
      handler = ({ response }) => response.end('a');
      const client = new RawClient(listener.port).send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
      expect(withoutDate(await client.includes('\r\n\r\na'))).to.equal(
        'HTTP/1.0 200 OK\r\nServer: Sluice\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\na',
      );
      client.send('GET / HTTP/1.0\r\n\r\n');
      expect(parseResponse(await client.all()).body).to.include('HTTP/1.0 200 OK');
    });

    it('an HTTP/1.0 response of unknown length closes the connection, and contains no chunked coding or interim responses', async () => {
      handler = ({ response }) => {
        response.writeInformational(103, fields({ link: 'a' }));
        response.write(big);
        response.end('b');
      };
      expect(await exchangeBytes(listener.port, 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')).to.equal(
        `HTTP/1.0 200 OK\r\nServer: Sluice\r\n\r\n${big}b`,
      );
    });
  });

  it('an HTTP/1 response waits for a slow client, and continues when the client reads', async () => {
    const chunk = Buffer.alloc(256 * 1024, 'c');
    let waits = 0;
    handler = async ({ response }) => {
      for (let i = 0; i < 100; i++) {
        if (response.write(chunk)) continue;
        waits++;
        await response.drained();
      }
    };
    const client = new RawClient(listener.port);
    client.socket.pause();
    client.send(close);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(waits).to.be.greaterThan(0).and.lessThan(60);
    client.socket.resume();
    const received = await client.all();
    expect(received.length).to.be.greaterThan(100 * chunk.length);
    expect(received.endsWith('0\r\n\r\n')).to.equal(true);
  });

  it('an HTTP/1 response rejects pending writes and aborts the exchange when the client disconnects', async () => {
    let seen: Exchange | null = null;
    const failure = new Promise((resolve) => {
      handler = async (exchange) => {
        seen = exchange;
        const chunk = Buffer.alloc(1024 * 1024);
        try {
          for (;;) if (!exchange.response.write(chunk)) await exchange.response.drained();
        } catch (error) {
          resolve(error);
          throw error;
        }
      };
    });
    const client = new RawClient(listener.port).send(close);
    await client.until((received) => received.length > 0);
    client.socket.resetAndDestroy();
    expect(await failure).to.have.property('code', 'ERR_CLIENT_GONE');
    expect(seen).to.have.property('aborted', true);
  });

  it('an HTTP/1 connection closes if a handler fails after sending the head', async () => {
    handler = ({ response }) => {
      response.write(big);
      throw new Error('too late');
    };
    const received = await exchangeBytes(listener.port, close);
    expect(received).to.include(big).and.not.include('0\r\n\r\n');
  });

  it('an HTTP/1 connection sends no data if it is destroyed before the response', async () => {
    handler = ({ connection }) => connection.destroy();
    expect(await exchangeBytes(listener.port, close)).to.equal('');
  });
});
