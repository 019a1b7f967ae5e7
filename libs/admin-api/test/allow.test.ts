import { expect } from 'chai';
import { startServer, type TestServer } from './admin.ts';

describe('405 responses of the admin API', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ document: { apps: { any: {} } } });
  });
  after(() => server.close());

  const cases: [method: string, path: string, allow: string][] = [
    ['GET', '/load', 'POST'],
    ['DELETE', '/adapt', 'POST'],
    ['PUT', '/stop', 'POST'],
    ['HEAD', '/openapi.json', 'GET'],
    ['OPTIONS', '/schema', 'GET'],
    ['OPTIONS', '/config/apps', 'DELETE, GET, PATCH, POST, PUT'],
  ];
  for (const [method, path, allow] of cases)
    it(`${method} ${path} returns 405 with the supported methods in Allow`, async () => {
      const { status, headers } = await server.ask(path, { method });
      expect([status, headers['allow']]).to.deep.equal([405, allow]);
    });

  it('every path in the OpenAPI description returns an Allow header with each 405 response', async () => {
    const { json } = await server.ask('/openapi.json');
    const { paths } = json as { readonly paths: Readonly<Record<string, object>> };
    // A request for a missing object returns 404 for every method.
    for (const path of Object.keys(paths).filter((each) => !each.startsWith('/id/'))) {
      const { status, headers } = await server.ask(path.replaceAll(/\{\w+\}/g, 'x'), { method: 'PROPFIND' });
      expect([path, status]).to.deep.equal([path, 405]);
      expect(headers['allow'], path).to.match(/^[A-Z]+(?:, [A-Z]+)*$/);
    }
  });
});
