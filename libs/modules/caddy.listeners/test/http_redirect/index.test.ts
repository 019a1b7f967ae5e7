import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { TestServer } from '@sluice/testing';
import { get, portOf, serveWith, talk } from '../support.ts';

describe('caddy.listeners.http_redirect', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const start = async (config: Readonly<Record<string, Json>> = {}): Promise<number> => {
    server = await serveWith([{ wrapper: 'http_redirect', ...config }, { wrapper: 'tls' }]);
    return portOf(server);
  };

  it('http_redirect redirects plain HTTP requests to HTTPS and closes the connection', async () => {
    const port = await start();
    const response = await talk(port, get);
    expect(response).to.equal(
      'HTTP/1.1 308 Permanent Redirect\r\nLocation: https://a.test/x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(await talk(port, 'G', 15, 'ET /y HT', 15, 'TP/1.1\r\nHost: b\r\n', 15, '\r\n')).to.include(
      'Location: https://b/y\r\n',
    );
  });

  it('http_redirect responds once, regardless of further input', async () => {
    const port = await start();
    expect((await talk(port, get + get, 15, 'x'.repeat(100_000))).split('HTTP/1.1')).to.have.length(2);
  });

  it('http_redirect rejects plain HTTP requests without a host', async () => {
    const port = await start();
    expect(await talk(port, 'GET / HTTP/1.1\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /);
  });

  it('http_redirect does not read more than the maximum request size', async () => {
    const port = await start({ max_header_bytes: 100 });
    const fill = (length: number): string => {
      const start = 'GET / HTTP/1.1\r\nHost: a\r\nX: ';
      return `${start}${'x'.repeat(length - start.length - 4)}\r\n\r\n`;
    };
    expect(await talk(port, fill(100))).to.include('https://a/');
    expect(await talk(port, fill(101))).to.equal('');
    expect(await talk(port, fill(50), fill(5000))).to.include('https://a/');
  });

  it('http_redirect passes all other connections on', async () => {
    const port = await start();
    expect(await talk(port, 'BREW /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
  });
});
