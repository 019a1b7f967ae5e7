import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

const large = { items: Array.from({ length: 60_000 }, (_, i) => `item ${i % 100}`) };

describe('compression of the admin API', () => {
  let server: TestServer;
  /** Sends an event to the clients of `/events`. */
  let setStatus: (event: string) => void = () => undefined;

  before(async () => {
    server = await startServer({
      document: { apps: { any: large } },
      prepare: (registry) =>
        registry.hooks.adminRoutes.tap('test', ({ router }) => {
          router.get('/large', (_request, response) => void response.json(large));
          router.get('/small', (_request, response) => void response.json({ a: 1 }));
          router.get('/bytes', (_request, response) => {
            response.setHeader('Content-Type', 'application/octet-stream').end(Buffer.alloc(5000));
          });
          router.get('/events', (_request, response) => {
            response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
            setStatus = (event) => void response.write(`data: ${event}\n\n`);
          });
        }),
    });
  });
  after(() => server.close());

  async function get(path: string, accept: string): Promise<IncomingMessage> {
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, agent: false });
    request.setHeader('Accept-Encoding', accept).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  for (const coding of Object.keys(decoders)) {
    it(`the admin API compresses JSON responses and the configuration with ${coding}`, async () => {
      for (const path of ['/large', '/config/apps/any']) {
        const response = await get(path, coding);
        expect(response.headers).to.include({ 'content-encoding': coding, vary: 'Accept-Encoding' });
        expect(response.headers).to.not.have.any.keys('content-length');
        const body = await buffer(response);
        expect(JSON.parse(decoders[coding]!(body).toString())).to.deep.equal(large);
        expect(body.length).to.be.lessThan(JSON.stringify(large).length / 10);
      }
    });
  }

  const choices: readonly [accept: string, path: string, coding: string | undefined][] = [
    ['gzip, br, zstd', '/large', 'zstd'],
    ['gzip, br', '/large', 'br'],
    ['zstd;q=0, gzip', '/large', 'gzip'],
    ['identity', '/large', undefined],
    ['', '/large', undefined],
    ['gzip', '/small', undefined],
    ['gzip', '/bytes', undefined],
    ['gzip', '/missing', undefined],
  ];
  for (const [accept, path, coding] of choices)
    it(`the admin API sends ${path} ${coding === undefined ? 'uncompressed' : `as ${coding}`} for ${JSON.stringify(accept)}`, async () => {
      const response = await get(path, accept);
      expect(response.headers['content-encoding']).to.equal(coding);
      expect(response.headers['content-length'] === undefined).to.equal(coding !== undefined);
      await buffer(response);
    });

  it('the admin API flushes each event of a compressed stream immediately', async () => {
    const response = await get('/events', 'gzip');
    expect(response.headers['content-encoding']).to.equal('gzip');
    const events = response.pipe(createGunzip());
    for (const event of ['one', 'two', 'three']) {
      setStatus(event);
      const [text] = (await once(events, 'data')) as [Buffer];
      expect(text.toString()).to.equal(`data: ${event}\n\n`);
    }
    response.destroy();
  });
});
