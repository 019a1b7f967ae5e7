/** Checks that `GET /openapi.json` describes every Express route with the documentation of its package. */
import { expect } from 'chai';
import Router from 'router';
import type { AdminRoutes } from '@sluice/registry';
import { startServer, type TestServer } from './admin.ts';

describe('admin-api: GET /openapi.json', () => {
  let server: TestServer;
  let loads = 0;
  /** Every Express router that is created while the server starts. */
  const routers = new Set<Router.Router>();
  const prototype = Router.prototype as Router.Router;
  const { route: addRoute } = prototype;

  before(async () => {
    prototype.route = function route<R extends Router.Path>(this: Router.Router, path: R): Router.Route<R> {
      routers.add(this);
      return addRoute.call(this, path) as Router.Route<R>;
    };
    server = await startServer({
      document: {},
      prepare: (registry) => {
        registry.hooks.adminRoutes.tap('told', ({ router, describe: report }: AdminRoutes) => {
          router.get('/things/:id', (_call, response) => response.json(1));
          report(() => {
            loads++;
            return Promise.resolve({
              'GET /things/:id': {
                summary: 'A thing',
                path: { id: 'Its name.' },
                query: { deep: { type: 'boolean', description: 'All of it.' } },
                responses: { '200': { description: 'It.', content: { 'application/json': { type: 'integer' } } } },
              },
            });
          });
        });
        registry.hooks.adminRoutes.tap('silent', ({ router }) => {
          router.post('/silent/{*rest}', (_call, response) => response.json(1));
        });
      },
    });
    prototype.route = addRoute;
  });
  after(() => server.close());

  it('GET /openapi.json is generated once, on the first request', async () => {
    expect(loads).to.equal(0);
    const [first, second] = [await server.ask('/openapi.json'), await server.ask('/openapi.json')];
    expect([first.status, loads]).to.deep.equal([200, 1]);
    expect(second.text).to.equal(first.text);
    expect((await server.ask('/openapi.json', { method: 'POST' })).status).to.equal(405);
  });

  it('GET /openapi.json?detail=false returns the same paths and methods as the full description', async () => {
    const pathsOf = async (query: string): Promise<readonly (readonly [string, readonly string[]])[]> => {
      const { status, json } = await server.ask(`/openapi.json${query}`);
      expect(status).to.equal(200);
      const { paths } = json as { readonly paths: Readonly<Record<string, object>> };
      return Object.entries(paths)
        .map(([path, item]) => [path, Object.keys(item).toSorted()] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1));
    };
    const outline = await pathsOf('?detail=false');
    expect(outline).to.deep.equal(await pathsOf(''));
    expect(outline.length).to.be.above(10);
    expect((await server.ask('/openapi.json?detail=false')).text.length).to.be.below(10_000);
    expect((await server.ask('/openapi.json?detail=no')).status).to.equal(400);
  });

  it('GET /openapi.json includes the descriptions of packages, and paths without a description', async () => {
    const { json } = await server.ask('/openapi.json');
    expect(json)
      .to.have.nested.property('paths./things/{id}.get')
      .that.deep.equals({
        operationId: 'getThingsById',
        summary: 'A thing',
        tags: ['told'],
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Its name.', schema: { type: 'string' } },
          { name: 'deep', in: 'query', required: false, description: 'All of it.', schema: { type: 'boolean' } },
          {
            name: 'If-None-Match',
            in: 'header',
            required: false,
            description: '`Etag` of an earlier response. If nothing has changed, the response is 304 without a body.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': { description: 'It.', content: { 'application/json': { schema: { type: 'integer' } } } },
          '304': { description: "The client's copy is up to date." },
          default: { $ref: '#/components/responses/Error' },
        },
      });
    expect(json)
      .to.have.nested.property('paths./silent/{rest}.post.summary')
      .that.matches(/package silent/);
  });

  it('GET /openapi.json includes every Express route', async () => {
    const { json } = (await server.ask('/openapi.json')) as { json: { paths: Record<string, object> } };
    const said = Object.entries(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const there = [...routers].flatMap(({ stack }) =>
      stack.flatMap(({ route }) =>
        (route?.stack ?? [])
          .flatMap(({ method }) => method ?? [])
          .map(
            (method) =>
              `${method.toUpperCase()} ${String(route?.path)
                .replaceAll(/:(\w+)/g, '{$1}')
                .replaceAll('{*', '{')}`,
          ),
      ),
    );
    expect(there.length).to.be.greaterThan(8);
    expect(said).to.include.members(there);
    // Routes below /config/ and /id/ are regular expressions that do not belong to a router.
    expect(said.filter((each) => !there.includes(each) && !/ \/(?:config|id)\//.test(each))).to.deep.equal([]);
  });
});
