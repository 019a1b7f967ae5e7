/** Tests for published advisories of Node, llhttp and undici that clients or upstreams could exploit. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { exchangeRaw, rawUpstream, response, type RawUpstream } from '../support/raw.ts';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

describe('published advisories about Node, llhttp and undici', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let upstream: RawUpstream;
  let poisoner: RawUpstream;
  let packer: RawUpstream;
  before(async () => {
    sandbox = new Sandbox();
    upstream = await rawUpstream((socket, all) => {
      if (all.includes('\r\n\r\n')) socket.end(response('proxied'));
    });
    // Starts an upstream that sends unsolicited responses, immediately and after a delay, and keeps the connection open.
    poisoner = await rawUpstream((socket) => {
      socket.write(response('mine') + response('poison'));
      setTimeout(() => socket.destroyed || socket.write(response('late poison')), 20);
    });
    const packed = gzipSync(Buffer.alloc(256 * 1024 * 1024));
    packer = await rawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
      socket.end(packed);
    });
    const proxy = (to: RawUpstream, more: object = {}): unknown => ({
      handler: 'reverse_proxy',
      upstreams: [{ dial: to.dial }],
      ...more,
    });
    const injected = '{http.request.uri.query.a}';
    server = await TestServer.run(sandbox, [
      { match: [{ path: ['/hidden'] }], ...says('hidden response'), terminal: true },
      { match: [{ path: ['/packed'] }], handle: [proxy(packer)], terminal: true },
      { match: [{ path: ['/poisoned'] }], handle: [proxy(poisoner)], terminal: true },
      {
        match: [{ path: ['/sent'] }],
        handle: [proxy(upstream, { headers: { request: { set: { 'X-Set': [injected] } } } })],
        terminal: true,
      },
      { match: [{ header: { __proto__x: ['a'] } }], ...says('matched'), terminal: true },
      {
        handle: [
          { handler: 'headers', response: { set: { 'X-Set': [injected] } } },
          { handler: 'static_response', body: '[{http.request.header.__proto__}{http.request.uri.query.__proto__}]' },
        ],
      },
    ]);
  });
  after(async () => {
    await upstream.close();
    await poisoner.close();
    await packer.close();
    await sandbox.remove();
  });

  const play = (text: string): Promise<string> => exchangeRaw(server.httpPort, text);

  it('CVE-2024-22019: chunk extensions are limited in length', async () => {
    const extension = 'x'.repeat(4 * 1024 * 1024);
    const received = await play(
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${extension}\r\na\r\n0\r\n\r\n${hidden}`,
    );
    expect(received).to.not.contain('hidden response');
    expect(await play(hidden)).to.contain('hidden response');
  });

  const obfuscated = [
    ` Content-Length: ${hidden.length}`,
    `Content-Length\u00a0: ${hidden.length}`,
    `\tContent-Length: ${hidden.length}`,
  ];
  for (const line of obfuscated) {
    it(`CVE-2024-27982: the parser detects Content-Length after ${JSON.stringify(line)}`, async () => {
      expect(await play(`POST / HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n${hidden}`)).to.match(/^HTTP\/1\.1 400 /);
    });
  }

  it('CVE-2025-23167: header sections end only with CRLF CRLF', async () => {
    for (const end of ['\r\n\r', '\r\n\rX', '\n\r', '\r\r\n']) {
      const received = await play(`GET / HTTP/1.1\r\nHost: a${end}${hidden}`);
      expect(received, JSON.stringify(end)).to.not.contain('hidden response');
    }
  });

  it('CVE-2026-21710: the parser treats __proto__ as an ordinary header name', async () => {
    const lines = '__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\nhasOwnProperty: e\r\n';
    expect(await play(`GET /?__proto__=x&constructor=y HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)).to.match(
      /^HTTP\/1\.1 200 /,
    );
    expect(await play(`GET /sent HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)).to.contain('proxied');
    const admin = await exchangeRaw(
      server.adminPort,
      `GET /config/ HTTP/1.1\r\nHost: 127.0.0.1:${server.adminPort}\r\n${lines}\r\n`,
    );
    expect(admin).to.match(/^HTTP\/1\.1 200 /);
    for (const [path, unknown] of [
      ['/config/__proto__', '/config/unknown'],
      ['/config/apps/__proto__/x', '/config/apps/unknown/x'],
      ['/config/constructor', '/config/unknown'],
      ['/id/__proto__', '/id/unknown'],
    ] as const) {
      const [{ status, text }, other] = [await server.admin(path), await server.admin(unknown)];
      expect([status, text.replaceAll(/__proto__|constructor/g, 'unknown')], path).to.deep.equal([
        other.status,
        other.text,
      ]);
    }
    const text = '{"__proto__":{"polluted":true},"admin":{"__proto__":{"polluted":true}}}';
    await server.admin('/config/apps/__proto__', { method: 'PUT', text: '{"polluted":true}' });
    expect(
      (await server.admin('/load?dry_run', { method: 'POST', text, headers: { 'Content-Type': 'application/json' } }))
        .status,
    ).to.be.within(400, 499);
    expect(await play(hidden)).to.contain('hidden response');
  });

  it('CVE-2026-48931, CVE-2026-6733: the proxy does not send unsolicited upstream data to other clients', async () => {
    for (let round = 0; round < 8; round++) {
      const received = await play('GET /poisoned HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      expect(received).to.not.contain('poison');
      // The connection is idle between rounds, and delayed data arrives during that time.
      if (round % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 40));
    }
    const pipelined = await play('GET /poisoned HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(4));
    expect(pipelined).to.not.contain('poison');
  });

  it('CVE-2024-22025, CVE-2026-22036: the server does not decompress faster than the client reads', async () => {
    const held = async (): Promise<number> => {
      const { memory } = JSON.parse((await server.admin('/debug/vars')).text) as { memory: { external: number } };
      return memory.external;
    };
    const before = await held();
    const client = connect(server.httpPort, '127.0.0.1');
    client.write('GET /packed HTTP/1.1\r\nHost: a\r\n\r\n');
    const [head] = (await once(client, 'data')) as [Buffer];
    client.pause();
    expect(head.toString('latin1'))
      .to.match(/^HTTP\/1\.1 200 /)
      .and.not.match(/\r\nContent-Encoding:/);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const grown = (await held()) - before;
    client.destroy();
    expect(grown).to.be.lessThan(16 * 1024 * 1024);
  });

  it('CVE-2026-58044: the parser does not ignore headers in a request with thousands of headers', async () => {
    const many = Array.from({ length: 4000 }, (_, i) => `x${i}: \r\n`).join('');
    const received = await play(
      `POST / HTTP/1.1\r\nHost: a\r\n${many}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    expect(received).to.not.contain('hidden response');
    expect(received).to.match(/^HTTP\/1\.1 (200|431) /);
  });

  it('CVE-2026-1525: the parser rejects duplicate Content-Length fields whose names differ only in case', async () => {
    for (const [one, other] of [
      ['Content-Length: 0', `content-length: ${hidden.length}`],
      [`CONTENT-LENGTH: ${hidden.length}`, 'Content-Length: 0'],
    ])
      expect(await play(`POST /sent HTTP/1.1\r\nHost: a\r\n${one}\r\n${other}\r\n\r\n${hidden}`)).to.match(/ 400 /);
  });

  it('CVE-2026-1527: client input in a header value cannot inject a line into requests or responses', async () => {
    for (const end of ['%0d%0a', '%0a', '%0d', '%00', '%e5%98%8d%e5%98%8a']) {
      const query = `?a=x${end}Injected:%20yes${end}${end}GET%20/hidden`;
      upstream.received.length = 0;
      await play(`GET /sent${query} HTTP/1.1\r\nHost: a\r\n\r\n`);
      for (const text of upstream.received) expect(text, end).to.not.match(/[\r\n]Injected:|[\r\n]GET \/hidden/);
      expect(await play(`GET /${query} HTTP/1.1\r\nHost: a\r\n\r\n`), end).to.not.match(/[\r\n]Injected:/);
    }
  });

  it('CVE-2025-59466: deeply nested JSON does not crash the process', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const deep = (open: string, close: string, inner: string): string =>
      open.repeat(20_000) + inner + close.repeat(20_000);
    const bodies = [
      deep('[', ']', ''),
      deep('{"a":', '}', '1'),
      `{"apps":{"http":{"servers":{"s":{"routes":[${deep('{"handle":[{"handler":"subroute","routes":[', ']}]}', '{}')}]}}}}}`,
      `{"apps":{"http":{"servers":{"s":{"routes":[{"match":[${deep('{"not":[', ']}', '{}')}]}]}}}}}`,
    ];
    for (const text of bodies) {
      const { status } = await server.admin('/load', { method: 'POST', text, headers });
      expect(status).to.be.within(400, 599);
    }
    expect(await play(hidden)).to.contain('hidden response');
  });
});
