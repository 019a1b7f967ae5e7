import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLogger, type JsonObject, type LogEntry } from '@sluice/base';
import { serve, type TestServer } from '@sluice/testing';

const http1 = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const http2 = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** What a listener says to the first bytes of a connection: `HTTP/1.1`, `HTTP/2` for a SETTINGS frame, or nothing. */
function askedWith(path: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(bytes, 'latin1'));
    let told = '';
    socket.on('data', (chunk) => {
      told = chunk.toString('latin1').startsWith('HTTP/1.1 ') ? 'HTTP/1.1' : chunk[3] === 4 ? 'HTTP/2' : 'noise';
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(told));
  });
}

describe('listen_protocols', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-protocols-'));
  const paths = ['a', 'b', 'c'].map((name) => join(folder, name));
  let server: TestServer | undefined;
  const load = async (more: JsonObject): Promise<void> => {
    const listen = paths.map((path) => `unix/${path}|0600`);
    server = await serve({ apps: { http: { servers: { s: { listen, routes: [null], ...more } } } } }, { register: [] });
  };
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  after(() => rmSync(folder, { recursive: true }));

  it('says what is spoken at each address', async () => {
    await load({ protocols: ['h1'], listen_protocols: [['h2c'], ['h1', 'h2'], null] });
    const told = await Promise.all(paths.flatMap((path) => [askedWith(path, http1), askedWith(path, http2)]));
    expect(told).to.deep.equal(['', 'HTTP/2', 'HTTP/1.1', 'HTTP/2', 'HTTP/1.1', '']);
  });

  const logged: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
  const document = (more: JsonObject): JsonObject => ({
    apps: { http: { servers: { s: { listen: [`unix/${paths[0] ?? ''}|0600`], routes: [null], ...more } } } },
  });
  const http3 = (): number => logged.filter(({ message }) => message.includes('there is no HTTP/3')).length;

  it('says once that h3 has no effect, and only where it is asked for', async () => {
    logged.length = 0;
    server = await serve(document({}), { register: [], log });
    expect(http3()).to.equal(0);
    await server.engine.load(document({ protocols: ['h1', 'h3'] }));
    expect(http3()).to.equal(1);
    await server.engine.load(document({ protocols: ['h1', 'h3'], routes: [] }));
    expect(http3()).to.equal(1);
  });

  const unspoken: readonly [JsonObject, RegExp][] = [
    [{ protocols: ['h3'] }, /servers\.s\.protocols: nothing here can be spoken \("h3"\): add h1, h2 or h2c/],
    [{ protocols: ['spdy'] }, /servers\.s\.protocols: nothing here can be spoken \("spdy"\)/],
    [{ listen_protocols: [['h3']] }, /servers\.s\.listen_protocols\[0\]: nothing here can be spoken \("h3"\)/],
  ];
  for (const [more, expected] of unspoken)
    it(`refuses ${JSON.stringify(more)}, as no client could be served`, async () => {
      const error = await serve(document(more), { register: [] }).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(expected);
    });

  it('needs as many lists as there are addresses', async () => {
    const error = await load({ listen_protocols: [['h1']] }).catch((reason: Error) => reason);
    expect((error as Error).message).to.match(/servers\.s\.listen_protocols: there are 1 lists .* 3 addresses/);
  });
});
