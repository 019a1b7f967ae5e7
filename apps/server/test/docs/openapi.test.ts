/** Checks that `GET /openapi.json` is valid and describes exactly the existing routes. */
import { expect } from 'chai';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Sandbox } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Operations that are slow, stop the server or never end. The test does not call them. */
const notAsked = new Set([
  'POST /stop',
  'POST /upgrade',
  'GET /debug/pprof/profile',
  'GET /debug/pprof/heap',
  'GET /events',
  'GET /stats/stream',
  'GET /logs/stream',
  'GET /traces',
]);

describe('GET /openapi.json', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let description: OpenApi;
  before(async () => {
    sandbox = new Sandbox();
    server = await TestServer.run(sandbox, [says('hello')]);
    const { status, headers, text } = await server.admin('/openapi.json');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('application/openapi+json');
    description = JSON.parse(text) as OpenApi;
  });
  after(async () => {
    await server.stop();
    await sandbox.remove();
  });

  it('the OpenAPI description is valid OpenAPI 3.1', async () => {
    expect(description.openapi).to.equal('3.1.0');
    const result = await new Validator().validate(structuredClone(description) as unknown as Record<string, unknown>);
    expect(result.errors).to.equal(undefined);
    expect(result.valid).to.equal(true);
    const broken = await new Validator().validate({ ...description, paths: { '/x': { get: { responses: 3 } } } });
    expect(broken.valid).to.equal(false);
  });

  it('the OpenAPI description refers to the configuration schema', async () => {
    expect(description.components.schemas).to.have.nested.property('Configuration.externalDocs.url', '/schema');
    expect(JSON.parse((await server.admin('/schema')).text)).to.have.property('$defs');
  });

  it('the OpenAPI description includes the routes of packages, with summaries and unique identifiers', () => {
    expect(description.paths).to.include.keys([
      '/config/',
      '/config/{path}',
      '/id/{id}/{path}',
      '/history/{revision}/apply',
      '/pki/ca/{id}/certificates',
      '/certificates',
      '/reverse_proxy/upstreams/{address}/drain',
      '/metrics',
      '/events',
      '/debug/pprof/{rest}',
    ]);
    const operations = Object.values(description.paths).flatMap((item) => Object.values(item));
    expect(operations.filter(({ summary }) => summary.startsWith('Contributed by'))).to.deep.equal([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length);
    for (const [path, item] of Object.entries(description.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(item))
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).to.deep.equal(named);
    }
  });

  it('the OpenAPI description contains exactly the methods that the server accepts', async () => {
    for (const [path, item] of Object.entries(description.paths)) {
      const filled = path.replaceAll('{path}', 'apps').replaceAll(/\{\w+\}/g, '1');
      for (const method of methods) {
        const said = item[method.toLowerCase()] !== undefined;
        if (said && (notAsked.has(`${method} ${path}`) || (method !== 'GET' && !path.startsWith('/history')))) continue;
        const { status } = await server.admin(filled, { method });
        expect(status === 405, `${method} ${filled}`).to.equal(!said);
      }
    }
  });
});
