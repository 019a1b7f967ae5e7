import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withRoutes, type AdminTestResponse } from '@sluice/testing';
import type { Json } from '@sluice/base';
import { PackagedServer } from '../support/packaged.ts';

const says = (body: string): Json => ({ handler: 'static_response', body });
const bodyPath = '/apps/http/servers/s/routes/0/handle/0/body';

/** The URL has no port, so the test case names the server. */
const shopCase = (expected: object, more: object = {}): object => ({
  name: 'the shop is open',
  request: { url: 'http://shop.test/', server: 's' },
  expect: expected,
  ...more,
});

describe('admin.policies with required tests', function () {
  this.timeout(60_000);
  let folder: string;
  let server: PackagedServer;

  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const start = async (tests: readonly string[], more: object = {}): Promise<void> => {
    const policy = { name: 'shop', paths: ['/apps/http'], tests: tests.map((name) => join(folder, name)) };
    await server.load([{ handle: [says('open')] }], { policies: [{ ...policy, ...more }] });
  };
  const patch = (body: string, query = '', headers: Record<string, string> = {}): Promise<AdminTestResponse> =>
    server.admin(`/config${bodyPath}${query}`, { method: 'PATCH', json: body, headers });
  const propose = (body: string): Promise<AdminTestResponse> =>
    server.admin('/proposals', {
      method: 'POST',
      json: { title: 't', patch: [{ op: 'replace', path: bodyPath, value: body }] },
    });
  const served = async (): Promise<string> => (await server.request('/')).text;
  const errorOf = ({ text }: AdminTestResponse): string => (JSON.parse(text) as { error: string }).error;

  before(async () => {
    server = await PackagedServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-policy-'));
  });
  afterEach(async () => {
    // Removes the policies, which would reject the configuration of the next test.
    await server.admin('/config/admin/policies', { method: 'DELETE', headers: { 'Sluice-Override': 'next test' } });
    rmSync(folder, { recursive: true });
  });

  it('a change is applied if the required tests pass, and is rejected with the failures otherwise', async () => {
    write('shop.json5', { cases: [shopCase({ status: 200, body: { contains: 'open' } })] });
    await start(['shop.json5']);
    expect((await patch('always open')).status).to.equal(200);
    const rejected = await patch('closed');
    expect(rejected.status).to.equal(409);
    expect(errorOf(rejected)).to.equal(
      `1 of 1 required tests fail: policy "shop", "the shop is open" (${join(folder, 'shop.json5')}:1): body: expected text with "open", got "closed"`,
    );
    expect(await served()).to.equal('always open');
  });

  it('changes through POST /load, approvals and rollouts must also pass the required tests', async () => {
    write('shop.json5', { cases: [shopCase({ body: 'open' })] });
    await start(['shop.json5']);
    const document = await server.document();
    const closed = { ...document, ...(withRoutes([{ handle: [says('closed')] }]) as object) };
    const answers = [
      await server.admin('/load', { method: 'POST', json: closed }),
      await patch('closed', '?rollout=50%25,all'),
    ];
    const { id } = JSON.parse((await propose('closed')).text) as { id: number };
    answers.push(await server.admin(`/approvals/${id}`, { method: 'POST' }));
    for (const answer of answers) {
      expect(answer.status, answer.text).to.equal(409);
      expect(errorOf(answer)).to.include('"the shop is open"');
    }
    expect(await served()).to.equal('open');
  });

  it('a client with full access can override the tests that a policy requires', async () => {
    write('shop.json5', { cases: [shopCase({ body: 'open' })] });
    await start(['shop.json5']);
    expect((await patch('closed', '', { 'Sluice-Override': 'outage' })).status).to.equal(200);
    expect(await served()).to.equal('closed');
  });

  it('the report of a proposal and its report page contain the results of required tests', async () => {
    write('a.sluice-test.json5', {
      cases: [shopCase({ body: 'open' }), shopCase({ status: 200 }), shopCase({}, { skip: 'later' })],
    });
    await start(['*.sluice-test.json5']);
    const made = await propose('closed');
    expect(made.status, made.text).to.equal(201);
    const { id, report } = JSON.parse(made.text) as { id: number; report: { tests: Record<string, unknown> } };
    expect(report.tests).to.deep.include({ files: 1, cases: 3, passed: 1, failed: 1, skipped: 1, error: null });
    const { text } = await server.admin(`/proposals/${id}/report?format=html`);
    expect(text).to.include('3 required tests: 1 passed, 1 failed, 1 skipped').and.to.include('the shop is open');
    const { text: jws } = await server.admin(`/proposals/${id}/report`);
    const payload = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as {
      effects: { tests: { failures: { name: string }[] } };
    };
    expect(payload.effects.tests.failures.map(({ name }) => name)).to.deep.equal(['the shop is open']);
  });

  for (const [name, files, problem] of [
    ['is missing', {}, 'no test file matches'],
    ['is not valid', { 'shop.json5': '{"cases": [{}]}' }, 'cases[0]'],
    [
      'has too many cases',
      { 'shop.json5': { cases: Array.from({ length: 1001 }, () => shopCase({})) } },
      'more than 1000',
    ],
  ] as const)
    it(`a change is rejected with the reason if a required test file ${name}`, async () => {
      for (const [file, content] of Object.entries(files)) write(file, content);
      await start(['shop.json5']);
      const rejected = await patch('closed');
      expect(rejected.status).to.equal(409);
      expect(errorOf(rejected)).to.include('policy "shop"').and.to.include(problem);
      expect(await served()).to.equal('open');
    });

  it('a required test that takes too long rejects the change, without delaying requests or admin API reads @long', async () => {
    const upstreams = { '*': { delay: '29s' } };
    write('slow.json5', { upstreams, cases: [shopCase({ status: 200 })] });
    await start(['slow.json5']);
    const began = performance.now();
    const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: '127.0.0.1:1' }] };
    const waiting = server.admin('/config/apps/http/servers/s/routes/0/handle/0', { method: 'PATCH', json: proxy });
    let longest = 0;
    let isDone = false;
    void waiting.then(() => (isDone = true));
    while (!isDone) {
      const before = performance.now();
      expect(await served()).to.equal('open');
      expect((await server.admin(`/config${bodyPath}`)).text).to.include('open');
      longest = Math.max(longest, performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { status, text } = await waiting;
    expect(status, text).to.equal(409);
    expect(text).to.include('not complete after 20 s');
    expect(performance.now() - began).to.be.lessThan(45_000);
    expect(longest).to.be.lessThan(3000);
  });

  it('required tests do not write files through the changed configuration', async () => {
    write('kept.txt', 'kept');
    write('dav.json5', {
      cases: [{ request: { url: 'http://shop.test/kept.txt', method: 'PUT', body: 'x', server: 's' }, expect: {} }],
    });
    await start(['dav.json5']);
    const dav = { handler: 'webdav', root: folder };
    const rejected = await server.admin('/config/apps/http/servers/s/routes/0/handle/0', {
      method: 'PATCH',
      json: dav,
    });
    expect(rejected.status).to.equal(409);
    expect(errorOf(rejected)).to.include('http.handlers.webdav may change data for PUT requests');
  });
});
