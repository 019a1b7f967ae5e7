import { expect } from 'chai';
import { configAdapters, type ConvertedConfig } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import { startServer, type TestServer } from './admin.ts';

const document = { apps: { any: { a: 1 } } };

/** Result that the test adapter's `convert` returns for any document. */
const converted: ConvertedConfig = {
  text: 'a=1\n',
  file: 'lines',
  verdict: 'different',
  differences: [{ path: 'admin', wanted: {}, made: undefined }],
};

/** A test adapter for `key=value` lines. The line `!` causes an error, and a line without `=` causes a warning. */
const lines = defineModule(configAdapters, {
  name: 'lines',
  help: 'Reads lines.',
  config: options({}),
  provision: () => ({
    convert: (given) =>
      Promise.resolve(
        'admin' in (given as object) ? converted : { ...converted, verdict: 'identical', differences: [] },
      ),
    adapt(body) {
      const any: Record<string, string> = {};
      const warnings: { file: string; line: number; message: string }[] = [];
      for (const [index, text] of body.toString().split('\n').entries()) {
        const [key = '', value] = text.split('=');
        if (text === '!') throw new Error(`line ${index + 1}: "!" is nothing`);
        if (value === undefined) warnings.push({ file: '', line: index + 1, message: 'no value' });
        any[key] = value ?? '';
      }
      return {
        config: { apps: { any } },
        warnings,
        sources: {
          placeOf: ([, , key]) => ({
            file: 'lines',
            line: key === undefined ? 1 : Object.keys(any).indexOf(key) + 1,
            column: 1,
          }),
        },
      };
    },
  }),
});

describe('admin-api.load', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ prepare: (registry) => registry.add(lines) });
  });
  after(() => server.close());
  beforeEach(() => server.reconciler.load(document));

  it('POST /load returns the source positions of adapted values if requested', async () => {
    const adapt = { method: 'POST', body: 'a=1\nb=2', headers: { 'content-type': 'text/lines' } };
    const { json } = await server.ask('/adapt?sources', adapt);
    expect(json).to.have.nested.property('sources./apps/any/b').that.deep.equals({ file: 'lines', line: 2, column: 1 });
    expect((await server.ask('/adapt', adapt)).json).to.not.have.property('sources');
  });

  it('POST /load includes source positions along with configuration paths in errors and dry runs', async () => {
    const headers = { 'content-type': 'text/lines' };
    const refused = await server.ask('/load', { method: 'POST', body: 'a=1\nb=refuse', headers });
    expect(refused.text).to.match(/apps\.any[^ ]* \(lines:\d\): /);
    const planned = await server.ask('/load?dry_run', { method: 'POST', body: 'a=1\nb=3', headers });
    expect(planned.text).to.contain('"path":"apps.any","source":"lines:1"');
  });

  it('POST /load replaces the configuration and returns an empty body', async () => {
    const response = await server.ask('/load', { method: 'POST', json: { apps: { any: { b: 2 } } } });
    expect(response.status).to.equal(200);
    expect(response.text).to.equal('');
    expect(response.headers).to.not.have.property('content-type');
    expect(server.reconciler.document).to.deep.equal({ apps: { any: { b: 2 } } });
  });

  const types: [type: string | null, status: number][] = [
    [null, 200],
    ['', 200],
    ['application/json', 200],
    ['APPLICATION/JSON; charset=utf-8', 200],
    ['text/json;', 200],
    ['application/json; a="b;c"; d=e', 200],
    ['json', 400],
    ['application/', 400],
    ['/json', 400],
    ['a/b/c', 400],
    ['application/json; x', 400],
    ['application/x-json', 400],
    ['text/plain', 400],
  ];
  for (const [type, status] of types) {
    it(`POST /load returns ${status} for JSON sent as ${type}`, async () => {
      const response = await server.ask('/load', {
        method: 'POST',
        body: '{"apps":{}}',
        headers: type === null ? {} : { 'Content-Type': type },
      });
      expect(response.status).to.equal(status);
      if (status === 400) expect(response.json).to.have.all.keys('error');
      expect(server.reconciler.document).to.deep.equal(status === 200 ? { apps: {} } : document);
    });
  }

  const bodies: [body: string, status: number, after?: unknown][] = [
    ['', 400],
    [' ', 400],
    ['null', 200, null],
    ['{}', 200, {}],
    ['{', 400],
    ['[]', 400],
    ['1', 400],
    ['{"nope":1}', 400],
    ['{"apps":{"nope":{}}}', 400],
    ['{"apps":{"any":{"x":"refuse"}}}', 400],
    ['{"apps":{"any":{"x":"bug"}}}', 400],
    ['{"apps":{"any":{"x":[{"@id":"i"},{"@id":"i"}]}}}', 400],
    ['['.repeat(1000), 400],
  ];
  for (const [body, status, after] of bodies) {
    it(`POST /load returns ${status} for ${body.slice(0, 60) || 'no body'}`, async () => {
      const response = await server.ask('/load', { method: 'POST', body });
      expect(response.status).to.equal(status);
      expect(server.reconciler.document).to.deep.equal(status === 200 ? after : document);
      if (status !== 200) {
        expect(response.json).to.have.all.keys('error');
        expect(response.json)
          .to.have.property('error')
          .that.matches(/^loading config: /);
      }
    });
  }

  for (const path of ['/load', '/adapt', '/stop', '/schema']) {
    it(`${path} rejects unsupported methods`, async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', path === '/schema' ? 'POST' : 'GET']) {
        const response = await server.ask(path, { method });
        expect(response.status).to.equal(405);
        expect(response.json).to.have.all.keys('error');
        expect(response.headers).to.have.property('allow');
      }
      expect(server.stopped()).to.equal(false);
    });
  }

  it('POST /load ignores an identical configuration unless forced', async () => {
    const { revision } = server.reconciler;
    server.events.length = 0;
    await server.ask('/load', { method: 'POST', json: document });
    expect(server.reconciler.revision).to.equal(revision);
    expect(server.events).to.deep.equal([]);
    await server.ask('/load', {
      method: 'POST',
      json: document,
      headers: { 'Cache-Control': 'no-store, Must-Revalidate' },
    });
    expect(server.reconciler.revision).to.equal(revision + 1);
    expect(server.events).to.deep.equal(['+any', '-any']);
  });

  it('POST /load ignores If-Match', async () => {
    expect(
      (await server.ask('/load', { method: 'POST', json: {}, headers: { 'If-Match': 'nonsense' } })).status,
    ).to.equal(200);
  });

  it('POST /load adapts other formats by content type, and returns warnings', async () => {
    const text = { 'Content-Type': 'text/lines' };
    expect((await server.ask('/load', { method: 'POST', body: 'b=2', headers: text })).text).to.equal('');
    expect(server.reconciler.document).to.deep.equal({ apps: { any: { b: '2' } } });
    const warned = await server.ask('/load', { method: 'POST', body: 'b=2\nc', headers: text });
    expect([warned.status, warned.json]).to.deep.equal([
      200,
      { warnings: [{ file: '', line: 2, message: 'no value' }] },
    ]);
    const tried = await server.ask('/load?dry_run', { method: 'POST', body: 'c', headers: text });
    expect(tried.json).to.deep.include({ changed: true, warnings: [{ file: '', line: 1, message: 'no value' }] });
    const failed = await server.ask('/load', { method: 'POST', body: 'b=refuse\nc', headers: text });
    expect(failed.status).to.equal(400);
    expect(failed.json).to.deep.include({ warnings: [{ file: '', line: 2, message: 'no value' }] });
    const broken = await server.ask('/load', {
      method: 'POST',
      body: 'b=2\n!',
      headers: { 'Content-Type': 'application/LINES; a=b' },
    });
    expect([broken.status, broken.json]).to.deep.equal([
      400,
      { error: 'adapting the configuration with lines: line 2: "!" is nothing' },
    ]);
    expect(server.reconciler.document).to.deep.equal({ apps: { any: { b: '2', c: '' } } });
  });

  const adaptations: [type: string | null, body: string, status: number, value?: unknown][] = [
    ['application/json', ' {"a": 1.0, "nope": null}', 200, { result: { a: 1, nope: null } }],
    [null, '5', 200, { result: 5 }],
    ['text/lines', 'b=2', 200, { result: { apps: { any: { b: '2' } } } }],
    [
      'text/lines',
      'b',
      200,
      { warnings: [{ file: '', line: 1, message: 'no value' }], result: { apps: { any: { b: '' } } } },
    ],
    ['text/lines', '!', 400],
    ['text/nope', 'b', 400],
    ['nope', 'b', 400],
    ['application/json', '{', 500],
    ['application/json', '', 200, { result: null }],
  ];
  for (const [type, body, status, value] of adaptations) {
    it(`POST /adapt returns ${status} for ${JSON.stringify(body)} as ${type}`, async () => {
      const response = await server.ask('/adapt', {
        method: 'POST',
        body,
        headers: type === null ? {} : { 'Content-Type': type },
      });
      expect(response.status).to.equal(status);
      expect(response.headers['content-type']).to.equal('application/json');
      if (status === 200) expect(response.json).to.deep.equal(value);
      else expect(response.json).to.have.all.keys('error');
      expect(server.reconciler.document).to.deep.equal(document);
    });
  }

  it('GET /schema returns the schema of all modules', async () => {
    const response = await server.ask('/schema');
    expect(response.headers['content-type']).to.equal('application/schema+json');
    expect(response.json).to.have.property('$schema', 'https://json-schema.org/draft/2020-12/schema');
    expect((response.json as { $defs: object }).$defs).to.include.keys('any', 'strict', 'section-admin', 'apps-map');
    expect((response.json as { properties: object }).properties).to.have.all.keys('$schema', '@id', 'apps', 'admin');
  });

  it('POST /stop responds before the process exits', async () => {
    const other = await startServer();
    const response = await other.ask('/stop', { method: 'POST', body: 'ignored' });
    expect([response.status, response.text]).to.deep.equal([200, '']);
    while (!other.stopped()) await new Promise(setImmediate);
    await other.close();
  });

  it('POST /stop stops the process once, even if several requests arrive', async () => {
    const other = await startServer();
    const stop = (): Promise<{ status: number }> => other.ask('/stop', { method: 'POST' });
    for (const { status } of [await stop(), ...(await Promise.all([stop(), stop()]))]) expect(status).to.equal(200);
    await other.close();
    expect(other.stops()).to.equal(1);
  });
});

describe('admin-api.load: other formats', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ prepare: (registry) => registry.add(lines) });
  });

  after(() => server.close());

  it('GET /config/ returns the configuration in the requested format, and reports whether the conversion is lossless', async () => {
    await server.ask('/load', { method: 'POST', json: document });
    const { status, headers, text } = await server.ask('/config/', {
      headers: { accept: 'text/html, text/Lines;q=0.9' },
    });
    expect({ status, text }).to.deep.equal({ status: 200, text: converted.text });
    expect(headers).to.include({
      'content-type': 'text/lines; charset=utf-8',
      conversion: 'identical',
      vary: 'Accept',
    });
    expect(headers['etag']).to.be.a('string');
  });

  it('GET /config/ returns JSON for unknown formats and for parts of the configuration', async () => {
    for (const accept of ['*/*', 'text/html', 'application/yaml', 'text/lines']) {
      const path = accept === 'text/lines' ? '/config/apps' : '/config/';
      const { status, headers } = await server.ask(path, { headers: { accept } });
      expect({ status, type: headers['content-type'] }, accept).to.deep.equal({
        status: 200,
        type: 'application/json',
      });
    }
  });

  it('POST /adapt converts a configuration without loading it', async () => {
    const sent = { method: 'POST', json: { admin: {} }, headers: { accept: 'text/lines' } };
    const { headers, text } = await server.ask('/adapt', sent);
    expect({ text, conversion: headers['conversion'] }).to.deep.equal({
      text: converted.text,
      conversion: 'different; places=1',
    });
    expect((await server.ask('/config/')).json).to.deep.include({ apps: document.apps });
  });
});
