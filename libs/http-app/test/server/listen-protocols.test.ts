import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { serve, type TestServer } from '@sluice/testing';

const http1 = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const http2 = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Sends the first bytes of a connection. Returns the protocol of the response: `HTTP/1.1`, `HTTP/2` for a SETTINGS frame, or none. */
function askedWith(path: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(bytes, 'latin1'));
    let reported = '';
    socket.on('data', (chunk) => {
      reported = chunk.toString('latin1').startsWith('HTTP/1.1 ') ? 'HTTP/1.1' : chunk[3] === 4 ? 'HTTP/2' : 'noise';
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(reported));
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

  it('listen_protocols selects the protocols of each address', async () => {
    await load({ protocols: ['h1'], listen_protocols: [['h2c'], ['h1', 'h2'], null] });
    const reported = await Promise.all(paths.flatMap((path) => [askedWith(path, http1), askedWith(path, http2)]));
    expect(reported).to.deep.equal(['', 'HTTP/2', 'HTTP/1.1', 'HTTP/2', 'HTTP/1.1', '']);
  });

  const document = (more: JsonObject): JsonObject => ({
    apps: { http: { servers: { s: { listen: [`unix/${paths[0] ?? ''}|0600`], routes: [null], ...more } } } },
  });
  const unspoken: readonly [JsonObject, RegExp][] = [
    [{ protocols: ['spdy'] }, /servers\.s\.protocols: unknown protocols \("spdy"\): use h1, h2, h2c or h3/],
    [{ listen_protocols: [['spdy']] }, /servers\.s\.listen_protocols\[0\]: unknown protocols \("spdy"\)/],
  ];
  for (const [more, expected] of unspoken)
    it(`listen_protocols rejects ${JSON.stringify(more)}, because no client could connect`, async () => {
      const error = await serve(document(more), { register: [] }).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(expected);
    });

  it('listen_protocols requires one list per address', async () => {
    const error = await load({ listen_protocols: [['h1']] }).catch((reason: Error) => reason);
    expect((error as Error).message).to.match(/servers\.s\.listen_protocols: 1 protocol lists for 3 addresses/);
  });
});
