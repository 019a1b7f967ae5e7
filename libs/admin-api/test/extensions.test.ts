import { expect } from 'chai';
import { applyJsonPatch } from '@sluice/reconciler';
import type { Json } from '@sluice/base';
import { startServer, type TestResponse, type TestServer } from './admin.ts';

const document: Json = { apps: { any: { routes: [{ '@id': 'r0', body: 'a' }, { body: 'b' }], on: true } } };
const base = '/config/apps/any';

describe("admin-api: extensions of Caddy's API", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());
  beforeEach(() => server.reconciler.load(structuredClone(document)));

  const send = (
    type: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> =>
    server.ask(path, {
      method: 'PATCH',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': type, ...headers },
    });
  const jsonPatch = send.bind(null, 'application/json-patch+json');
  const mergePatch = send.bind(null, 'application/merge-patch+json; charset=utf-8');

  describe('admin-api: JSON Patch', () => {
    it('JSON Patch changes several locations atomically', async () => {
      const patch = [
        { op: 'test', path: '/apps/any/on', value: true },
        { op: 'move', from: '/apps/any/routes/1', path: '/apps/any/routes/0' },
        { op: 'add', path: '/apps/strict', value: { text: 'x' } },
      ];
      const response = await jsonPatch('/config/', patch);
      expect([response.status, response.text]).to.deep.equal([200, '']);
      expect(server.reconciler.document).to.deep.equal({
        apps: { any: { routes: [{ body: 'b' }, { '@id': 'r0', body: 'a' }], on: true }, strict: { text: 'x' } },
      });
    });

    it('JSON Patch pointers are relative to the requested path, including paths below /id/', async () => {
      expect((await jsonPatch(`${base}/routes/0`, [{ op: 'replace', path: '/body', value: 'c' }])).status).to.equal(
        200,
      );
      expect((await jsonPatch('/id/r0', [{ op: 'add', path: '/more', value: 1 }])).status).to.equal(200);
      expect(server.reconciler.read(['apps', 'any', 'routes', '0'])).to.deep.equal({ '@id': 'r0', body: 'c', more: 1 });
    });

    const failures: [path: string, patch: unknown, status: number][] = [
      [base, '{', 400],
      [base, {}, 400],
      [base, [{ op: 'dance', path: '' }], 400],
      [base, [{ op: 'add', path: 'routes', value: 1 }], 400],
      [base, [{ op: 'remove', path: '/missing' }], 404],
      [`${base}/missing`, [], 404],
      [`${base}/on/x`, [], 404],
      ['/id/missing', [], 404],
      [base, [{ op: 'test', path: '/on', value: false }], 409],
      [
        base,
        [
          { op: 'remove', path: '/routes' },
          { op: 'test', path: '/on', value: false },
        ],
        409,
      ],
      [base, [{ op: 'add', path: '/x', value: 'refuse' }], 422],
      [base, [{ op: 'add', path: '/x', value: { '@id': 'r0' } }], 422],
      ['/config/', [{ op: 'replace', path: '', value: 1 }], 422],
      [base, [{ op: 'add', path: '/x', value: JSON.parse('['.repeat(199) + ']'.repeat(199)) as unknown }], 400],
    ];
    for (const [path, patch, status] of failures) {
      it(`JSON Patch ${JSON.stringify(patch).slice(0, 80)} at ${path} returns ${status} and changes nothing`, async () => {
        const response = await jsonPatch(path, patch);
        expect(response.status).to.equal(status);
        expect(response.json).to.have.all.keys('error');
        expect(server.reconciler.document).to.deep.equal(document);
      });
    }

    it('JSON Patch honors If-Match', async () => {
      const headers = { 'If-Match': (await server.ask(base)).headers.etag as string };
      expect((await jsonPatch(base, [{ op: 'remove', path: '/on' }], headers)).status).to.equal(200);
      expect((await jsonPatch(base, [{ op: 'add', path: '/on', value: 1 }], headers)).status).to.equal(412);
      expect((await jsonPatch(base, [], { 'If-Match': '"/config/no/such abc"' })).status).to.equal(412);
      expect((await jsonPatch(base, [], { 'If-Match': 'nonsense' })).status).to.equal(400);
    });

    it('methods other than PATCH treat a JSON Patch document as a plain value', async () => {
      const response = await server.ask(`${base}/list`, {
        method: 'PUT',
        body: '[]',
        headers: { 'Content-Type': 'application/json-patch+json' },
      });
      expect(response.status).to.equal(200);
      expect(server.reconciler.read(['apps', 'any', 'list'])).to.deep.equal([]);
    });
  });

  describe('admin-api: JSON Merge Patch', () => {
    it('JSON Merge Patch merges objects and removes null members', async () => {
      expect(
        (await mergePatch('/config/', { apps: { any: { on: null, off: { deep: 1 } }, strict: { text: 'y' } } })).status,
      ).to.equal(200);
      expect((await mergePatch('/id/r0', { body: 'z' })).status).to.equal(200);
      expect(server.reconciler.document).to.deep.equal({
        apps: { any: { routes: [{ '@id': 'r0', body: 'z' }, { body: 'b' }], off: { deep: 1 } }, strict: { text: 'y' } },
      });
    });

    it('JSON Merge Patch creates a configuration if there is none', async () => {
      await server.reconciler.load(null);
      expect((await mergePatch('/config/', { apps: { any: {} } })).status).to.equal(200);
      expect(server.reconciler.document).to.deep.equal({ apps: { any: {} } });
    });

    for (const [path, patch, status] of [
      [base, '{', 400],
      [`${base}/missing`, {}, 404],
      [base, { x: 'refuse' }, 422],
      ['/config/', { nope: 1 }, 422],
      ['/config/', [], 422],
    ] as const) {
      it(`JSON Merge Patch ${JSON.stringify(patch)} at ${path} returns ${status} and changes nothing`, async () => {
        const response = await mergePatch(path, patch);
        expect(response.status).to.equal(status);
        expect(server.reconciler.document).to.deep.equal(document);
      });
    }
  });

  describe('admin-api: ?dry_run', () => {
    it('a dry run reports the effect of a change without applying the change', async () => {
      const { revision } = server.reconciler;
      const response = await server.ask(`${base}/routes?dry_run`, { method: 'POST', json: { body: 'c' } });
      expect(response.status).to.equal(200);
      expect(response.json).to.deep.equal({
        changed: true,
        patch: [{ op: 'add', path: '/apps/any/routes/2', value: { body: 'c' } }],
        counts: { kept: 1, rebuilt: 1, started: 0, stopped: 0 },
        modules: {
          kept: [{ id: 'admin', path: 'admin' }],
          rebuilt: [{ id: 'any', path: 'apps.any' }],
          started: [],
          stopped: [],
        },
      });
      expect(server.reconciler.revision).to.equal(revision);
      expect(server.reconciler.document).to.deep.equal(document);
    });

    it('a dry run lists up to the requested number of reused modules, and reports the total number', async () => {
      const ask = async (query: string): Promise<{ counts: object; modules: { kept: unknown[] } }> => {
        const { json } = await server.ask(`/config/apps/strict?dry_run${query}`, { method: 'PUT', json: {} });
        return json as { counts: object; modules: { kept: unknown[] } };
      };
      for (const [query, listed] of [
        ['', 2],
        ['&kept=all', 2],
        ['&kept=1', 1],
        ['&kept=0', 0],
      ] as const) {
        const { counts, modules } = await ask(query);
        expect(modules.kept).to.have.length(listed);
        expect(counts).to.deep.equal({ kept: 2, rebuilt: 0, started: 1, stopped: 0 });
      }
      const wrong = await server.ask('/config/apps/strict?dry_run&kept=some', { method: 'PUT', json: {} });
      expect(wrong.status).to.equal(400);
      expect(wrong.text).to.contain('kept must be a number of modules, or \\"all\\"');
    });

    const rehearsals: [method: string, path: string, json: unknown, modules: object][] = [
      ['POST', '/load?dry_run=1', { apps: { strict: {} } }, { started: ['apps.strict'], stopped: ['apps.any'] }],
      ['POST', '/load?dry_run=true', document, { kept: ['admin', 'apps.any'] }],
      ['DELETE', '/config/?dry_run', undefined, { stopped: ['apps.any'] }],
      ['PUT', '/config/apps/strict?dry_run', {}, { started: ['apps.strict'], kept: ['admin', 'apps.any'] }],
      ['PATCH', '/id/r0/body?a=b&dry_run', 'c', { rebuilt: ['apps.any'] }],
    ];
    for (const [method, path, body, modules] of rehearsals) {
      it(`a dry run of ${method} ${path} returns a patch that produces the same result as the change`, async () => {
        const response = await server.ask(path, { method, ...(body === undefined ? {} : { json: body }) });
        const report = response.json as { patch: Json; modules: Record<string, { path: string }[]> };
        const places = Object.fromEntries(
          Object.entries(report.modules).map(([kind, list]) => [kind, list.map((module) => module.path)]),
        );
        expect(places).to.deep.include(modules);
        expect(server.reconciler.document).to.deep.equal(document);
        await server.ask(path.replace('dry_run', 'not_dry'), { method, ...(body === undefined ? {} : { json: body }) });
        expect(applyJsonPatch(document, report.patch)).to.deep.equal(server.reconciler.document);
      });
    }

    for (const query of ['?dry_run=false', '?dry_run=0']) {
      it(`the query ${query} does not request a dry run`, async () => {
        expect((await server.ask(`${base}/on${query}`, { method: 'DELETE' })).text).to.equal('');
        expect(server.reconciler.read(['apps', 'any', 'on'])).to.equal(undefined);
      });
    }

    const failures: [method: string, path: string, body: string, status: number][] = [
      ['PATCH', `${base}/on`, '{', 400],
      ['PUT', `${base}/on`, '1', 409],
      ['PATCH', `${base}/missing`, '1', 404],
      ['PATCH', `${base}/missing/deep`, '1', 404],
      ['PATCH', `${base}/on/deep`, '1', 404],
      ['PUT', `${base}/routes/9`, '1', 404],
      ['PUT', `${base}/routes/x`, '1', 400],
      ['POST', `${base}/routes/...`, '1', 400],
      ['PATCH', `${base}/on`, '"refuse"', 422],
      ['PATCH', `${base}/on`, '{"@id":"r0"}', 422],
      ['POST', '/load', '{"nope":1}', 422],
      ['POST', '/load', '{', 400],
    ];
    for (const [method, path, body, status] of failures) {
      it(`a dry run returns ${status} for ${method} ${path} ${body}`, async () => {
        const response = await server.ask(`${path}?dry_run`, {
          method,
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expect(response.status).to.equal(status);
        expect(response.json).to.have.all.keys('error');
      });
    }

    it('a dry run does not move the admin endpoint, but the actual change does', async () => {
      const { port } = server;
      const moved = { admin: { listen: '127.0.0.1:0', origins: [`127.0.0.1:${port}`] }, apps: {} };
      expect(
        (await server.ask('/load?dry_run', { method: 'POST', json: { ...moved, admin: { listen: '127.0.0.5:0' } } }))
          .status,
      ).to.equal(200);
      expect(server.port).to.equal(port);
      const elsewhere = { admin: { listen: '127.0.0.5:0' } };
      await Promise.all(
        Array.from({ length: 20 }, () => server.ask('/load?dry_run', { method: 'POST', json: elsewhere })),
      );
      expect(server.entries.filter(({ fields }) => String(fields.address).startsWith('127.0.0.5'))).to.deep.equal([]);
      expect(server.port).to.equal(port);
      await server.reconciler.load(elsewhere);
      expect(server.endpoint.address).to.match(/^127\.0\.0\.5:/);
      await server.reconciler.load({});
    });
  });
});
