import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { TestServer } from '@sluice/testing';
import { bodyOf, documentWith, get, portOf, serveWith, talk } from '../support.ts';
import { version2 } from './headers.ts';

const header = 'PROXY TCP4 10.1.2.3 10.9.9.9 1111 443\r\n';
const proxied = '10.1.2.3:1111 10.1.2.3 10.9.9.9:443';
const direct = /^127\.0\.0\.1:\d+ 127\.0\.0\.1 127\.0\.0\.1:\d+$/;

describe('caddy.listeners.proxy_protocol', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const start = async (config: Readonly<Record<string, Json>>): Promise<number> => {
    server = await serveWith([{ wrapper: 'proxy_protocol', ...config }]);
    return portOf(server);
  };

  describe('policies of proxy_protocol', () => {
    type Outcome = 'proxied' | 'direct' | 'closed' | 'refused';
    const rows: readonly (readonly [string, Readonly<Record<string, Json>>, Outcome, Outcome])[] = [
      ['the default policy', {}, 'direct', 'direct'],
      ['the policy IGNORE', { fallback_policy: 'IGNORE' }, 'direct', 'direct'],
      ['the policy USE', { fallback_policy: 'USE' }, 'proxied', 'direct'],
      ['the policy use', { fallback_policy: 'use' }, 'proxied', 'direct'],
      ['the policy REJECT', { fallback_policy: 'REJECT' }, 'closed', 'direct'],
      ['the policy REQUIRE', { fallback_policy: 'REQUIRE' }, 'proxied', 'closed'],
      ['the policy SKIP', { fallback_policy: 'SKIP' }, 'refused', 'direct'],
      ['allow for the client', { allow: ['127.0.0.0/8'] }, 'proxied', 'direct'],
      ['allow for other clients', { allow: ['10.0.0.0/8'], fallback_policy: 'REJECT' }, 'closed', 'direct'],
      ['deny for the client', { deny: ['127.0.0.1/32'], fallback_policy: 'USE' }, 'closed', 'direct'],
      ['allow and deny for the client', { allow: ['127.0.0.0/8'], deny: ['127.0.0.1/32'] }, 'closed', 'direct'],
    ];
    const outcome = (response: string): Outcome => {
      if (response === '') return 'closed';
      if (response.startsWith('HTTP/1.1 400')) return 'refused';
      return bodyOf(response) === proxied ? 'proxied' : 'direct';
    };
    for (const [name, config, withHeader, without] of rows) {
      it(`proxy_protocol with ${name}: a connection with a header is ${withHeader}, and a connection without a header is ${without}`, async () => {
        const port = await start(config);
        expect(outcome(await talk(port, header + get))).to.equal(withHeader);
        expect(outcome(await talk(port, version2({}), get))).to.equal(withHeader);
        expect(outcome(await talk(port, get))).to.equal(without);
      });
    }
  });

  it('proxy_protocol accepts headers that arrive in pieces', async () => {
    const port = await start({ fallback_policy: 'USE' });
    const line = header.slice(0, -1);
    expect(bodyOf(await talk(port, 'PRO', 15, line.slice(3, 20), 15, line.slice(20), 15, '\n', 15, get))).to.equal(
      proxied,
    );
    const binary = version2({});
    expect(
      bodyOf(await talk(port, binary.subarray(0, 5), 15, binary.subarray(5, 18), 15, binary.subarray(18), get)),
    ).to.equal(proxied);
  });

  it('proxy_protocol keeps the socket addresses for LOCAL and UNKNOWN headers', async () => {
    const port = await start({ fallback_policy: 'REQUIRE' });
    for (const unknown of [Buffer.from('PROXY UNKNOWN\r\n'), version2({ command: 0 })])
      expect(bodyOf(await talk(port, unknown, get))).to.match(direct);
  });

  it('proxy_protocol preserves all bytes after the header', async () => {
    const port = await start({ fallback_policy: 'USE' });
    const requests = get.replace('close', 'keep-alive') + get;
    expect((await talk(port, header + requests)).split(proxied)).to.have.length(3);
  });

  // Attack in docs/security.md: Forged or endless PROXY headers.
  it('proxy_protocol closes connections with a malformed or oversized header', async () => {
    const port = await start({});
    for (const wrong of ['PROXY TCP4 1.2.3 4.5.6.7 1 2\r\n', `PROXY UNKNOWN ${'x'.repeat(500)}`])
      expect(await talk(port, wrong + get)).to.equal('');
    expect(await talk(port, version2({ version: 3 }), get)).to.equal('');
  });

  it('proxy_protocol continues without a header after its timeout if the header is optional', async () => {
    const port = await start({ fallback_policy: 'USE', timeout: '20ms' });
    expect(bodyOf(await talk(port, 60, get))).to.match(direct);
    expect(bodyOf(await talk(port, 'P', 60, `UT${get.slice(3)}`))).to.match(direct);
    // Bytes that arrive after the timeout are not parsed as a PROXY header.
    expect(await talk(port, 60, header + get)).to.match(/^HTTP\/1\.1 400/);
  });

  it('proxy_protocol closes connections after its timeout if the header is incomplete or missing', async () => {
    let port = await start({ fallback_policy: 'USE', timeout: '20ms' });
    expect(await talk(port, header.slice(0, 12))).to.equal('');
    expect(await talk(port, version2({}).subarray(0, 14))).to.equal('');
    await server.close();
    port = await start({ fallback_policy: 'REQUIRE', timeout: '20ms' });
    expect(await talk(port)).to.equal('');
  });

  it('proxy_protocol uses the request header timeout by default', async () => {
    server = await serveWith([{ wrapper: 'proxy_protocol' }], { read_header_timeout: '30ms' });
    expect(await talk(portOf(server), 'PRO')).to.equal('');
  });

  it('proxy_protocol trusts Unix socket peers and does not require a header from them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wrappers-'));
    const path = join(folder, 's.sock');
    try {
      server = await serveWith([{ wrapper: 'proxy_protocol', fallback_policy: 'REQUIRE' }], {
        listen: [`unix/${path}|0600`],
      });
      expect(bodyOf(await talk(path, header + get))).to.equal(proxied);
      expect(await talk(path, get)).to.match(/^HTTP\/1\.1 200/);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true });
      server = await serveWith([]);
    }
  });

  it('proxy_protocol closes its waiting connections when the listener closes', async () => {
    const port = await start({ fallback_policy: 'REQUIRE' });
    const waiting = talk(port, 'PROXY');
    await new Promise((resolve) => setTimeout(resolve, 30));
    await server.close();
    expect(await waiting).to.equal('');
  });

  it('proxy_protocol applies changed options only to new connections', async () => {
    const port = await start({ fallback_policy: 'USE' });
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    const includes = async (times: number): Promise<void> => {
      while (received.split(proxied).length <= times) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    socket.write(header + get.replace('close', 'keep-alive'));
    await includes(1);
    await server.reconciler.load(documentWith([{ wrapper: 'proxy_protocol', fallback_policy: 'REJECT' }]));
    expect(portOf(server)).to.equal(port);
    expect(await talk(port, header + get)).to.equal('');
    socket.write(get);
    await includes(2);
    socket.destroy();
  });

  const wrong: readonly (readonly [string, Readonly<Record<string, Json>>, RegExp])[] = [
    [
      'an unknown policy',
      { fallback_policy: 'MAYBE' },
      /listener_wrappers\[0\]\.fallback_policy: "MAYBE" is not a valid policy/,
    ],
    ['an address instead of a range', { allow: ['10.0.0.1'] }, /\.allow\[0\]: .*write "10\.0\.0\.1\/32"/],
    ['an invalid range', { deny: ['x'] }, /\.deny\[0\]: "x" is not an IP address/],
    ['an invalid duration', { timeout: 'soon' }, /\.timeout: /],
    ['an unknown option', { allowed: [] }, /allowed/],
  ];
  for (const [what, config, message] of wrong) {
    it(`proxy_protocol rejects ${what}`, async () => {
      server = await serveWith([]);
      const error = await serveWith([{ wrapper: 'proxy_protocol', ...config }]).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(message);
    });
  }
});
