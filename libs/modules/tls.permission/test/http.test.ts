import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { provision, refusal } from '@sluice/testing';
import { permissions } from '@sluice/tls-app';
import { register } from '../src/index.ts';

const settings = { register: [register], key: 'module' };

describe('tls.permission.http', () => {
  let server: Server;
  let origin: string;
  let status = 200;
  const asked: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (status > 0) response.writeHead(status, { Location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function allows(name: string, signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    const config = { module: 'http', endpoint: `${origin}/ask?key=1` };
    const { instance, close } = await provision(permissions, config, settings);
    try {
      return await instance.allows(name, signal);
    } finally {
      await close();
    }
  }

  for (const [given, expected] of [
    [200, true],
    [204, true],
    [299, true],
    [302, false],
    [400, false],
    [403, false],
  ] as const) {
    it(`tls.permission.http ${expected ? 'allows' : 'denies'} a name if the response is ${given}`, async () => {
      status = given;
      expect(await allows('a.example.com')).to.equal(expected);
    });
  }

  it('tls.permission.http sends one request that contains the name', async () => {
    status = 302;
    asked.length = 0;
    await allows('*.a&b.example.com');
    expect(asked).to.deep.equal(['/ask?key=1&domain=*.a%26b.example.com']);
  });

  it('tls.permission.http rejects the name if the endpoint fails or is unavailable', async () => {
    status = 500;
    expect(await allows('a').catch((error: Error) => error.message)).to.match(
      /^http:.*\/ask responded with status 500$/,
    );
    const { instance, close } = await provision(
      permissions,
      { module: 'http', endpoint: 'http://127.0.0.1:1/' },
      settings,
    );
    const error: unknown = await instance.allows('a', new AbortController().signal).catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'ECONNREFUSED' });
    await close();
  });

  it('tls.permission.http stops waiting when its caller aborts', async () => {
    status = 0;
    const error: unknown = await allows('a', AbortSignal.timeout(20)).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
  });

  it('tls.permission.http rejects an invalid URL', async () => {
    for (const endpoint of ['', 'localhost:5555', 'ftp://localhost/'])
      expect(await refusal(permissions, { module: 'http', endpoint }, settings)).to.match(
        /\.endpoint: .* is not an http or https URL/,
      );
  });
});
