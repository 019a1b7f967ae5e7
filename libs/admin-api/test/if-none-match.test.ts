import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';
import { base, document } from './sample.ts';

describe('If-None-Match', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({
      document,
      prepare: (registry) =>
        registry.hooks.adminRoutes.tap('test', ({ router }) => {
          router.get('/counted', ({ query }, response) => void response.json({ count: query['count'] }));
          router.post('/counted', (_request, response) => void response.json({ count: 1 }));
        }),
    });
  });
  afterEach(() => server.close());

  async function statusOf(path: string, tag: string, method = 'GET'): Promise<[status: number, text: string]> {
    const { status, text } = await server.ask(path, { method, headers: { 'If-None-Match': tag } });
    return [status, text];
  }

  it('If-None-Match is ignored for GET /config/, as in Caddy', async () => {
    const tag = String((await server.ask(base)).headers.etag);
    expect((await statusOf(base, tag))[0]).to.equal(200);
  });

  it('If-None-Match returns 304 for unchanged JSON responses of all routes', async () => {
    const { headers } = await server.ask('/counted?count=1');
    expect(headers.etag).to.match(/^"[\w-]{27}"$/);
    const tag = String(headers.etag);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect(await statusOf('/counted?count=1', sent), sent).to.deep.equal([304, '']);
    expect((await statusOf('/counted?count=1', '"other"'))[0]).to.equal(200);
    expect(await statusOf('/counted?count=2', tag)).to.deep.equal([200, '{"count":"2"}\n']);
    expect((await statusOf('/counted', '*', 'POST'))[0]).to.equal(200);
  });
});
