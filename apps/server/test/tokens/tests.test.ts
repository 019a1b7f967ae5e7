import { expect } from 'chai';
import { startPlanted, variable, type Planted } from './planted.ts';

describe('tokens with permission for POST /explain/tests', function () {
  this.timeout(120_000);
  let planted: Planted;
  before(async () => {
    const read = { methods: ['GET'] };
    planted = await startPlanted({
      all: {},
      agent: { permissions: [read, { paths: ['/proposals', '/explain', '/explain/plan'] }] },
      tester: { permissions: [read, { paths: ['/proposals', '/explain/plan', '/explain/tests'] }] },
      blind: { permissions: [{ paths: ['/explain/tests'] }] },
    });
  });
  after(() => planted.close());

  const test = (token: string, json: unknown, query = '', headers: Record<string, string> = {}) =>
    planted.ask(token, `/explain/tests${query}`, { method: 'POST', json, headers });

  it('POST /explain/tests requires a token scope with this exact path, and read access to the whole configuration', async () => {
    for (const token of ['agent', 'blind']) {
      const { status } = await test(token, { tests: { cases: [] } });
      expect([token, status]).to.deep.equal([token, 403]);
    }
  });

  // Attack in docs/security.md: Test cases that read files or environment variables (`{file.*}`, `{env.*}`, `templates`, `file_server`,
  // `file` matchers), or that apply the change.
  it('test cases do not leak environment variables or files, either through their results or by whether they pass', async () => {
    const { folder, files } = planted;
    const secret = `{env.${variable}}`;
    const proxy = (dial: string): object => ({ handler: 'reverse_proxy', upstreams: [{ dial }] });
    const says = (body: string): object => ({ handler: 'static_response', body });
    const routes: [object | null, object][] = [
      [null, says(secret)],
      [null, says(`{file.${files.text}}`)],
      [null, { handler: 'static_response', headers: { X: [secret] }, body: 'x' }],
      [null, { handler: 'file_server', root: folder, browse: {} }],
      [null, { handler: 'templates', file_root: folder }],
      [null, proxy(secret)],
      [null, proxy(`${secret}:80`)],
      [null, { handler: 'vars', a: secret }],
      [{ file: { root: folder, try_files: ['/secret.txt'] } }, says('exists')],
      [{ expression: `${secret} != ""` }, says('exists')],
      [{ expression: `file({"root": "${folder}", "try_files": ["/secret.txt"]})` }, says('exists')],
      [{ vars: { [secret]: [''] } }, { handler: 'static_response', status_code: 204 }],
    ];
    const config = {
      apps: {
        http: {
          servers: Object.fromEntries(
            routes.map(([match, handler], i) => [
              `s${i}`,
              { routes: [{ ...(match === null ? {} : { match: [match] }), handle: [handler] }] },
            ]),
          ),
        },
      },
    };
    const cases = routes.flatMap((_, i) =>
      ['/', '/secret.txt'].map((path) => ({
        name: `${i} ${path}`,
        request: { url: `http://x.test${path}`, server: `s${i}` },
        // The patterns would match the secrets, which have 24 characters.
        expect: { body: { matches: '[A-Za-z0-9]{24}' }, headers: { X: { matches: '.{24}' } }, upstream: 'x' },
      })),
    );
    const upstreams = { '*': { body: secret } };
    const { status, text } = await test('tester', { config, tests: { cases, upstreams } });
    expect(status, text).to.equal(200);
    expect(planted.leakIn(text)).to.equal(null);
    const { passed, failures } = JSON.parse(text) as {
      passed: number;
      failures: { name: string; differences: { what: string; got: string }[] }[];
    };
    expect(passed).to.equal(0);
    const gotOf = (index: number): string =>
      failures
        .find(({ name }) => name === `${index} /secret.txt`)
        ?.differences.map(({ got }) => got)
        .join() ?? '';
    expect(gotOf(3)).to.include('http.handlers.file_server may read files');
    expect(gotOf(8)).to.include('http.matchers.file may read files');
    expect(text).to.not.include('exists');
  });

  // Attack in docs/security.md: Test cases that read files or environment variables (`{file.*}`, `{env.*}`, `templates`, `file_server`,
  // `file` matchers), or that apply the change.
  it('no variant of a POST /explain/tests request applies the change', async () => {
    const { reconciler } = planted.control;
    const { revision } = reconciler;
    const before = JSON.stringify(reconciler.document);
    const patch = [{ op: 'replace', path: '/apps/http/servers/s/routes/0/handle/0/body', value: 'hacked' }];
    const cases = [{ request: { url: 'http://x.test/mine', server: 's' }, expect: { status: 200 } }];
    for (const query of ['', '?dry_run=false', '?rollout=50%25,all', '?confirm_within=1m', '?expect_same', '?shadow']) {
      const { status, text } = await test('tester', { patch, tests: { cases } }, query);
      // The query `?shadow` requires an additional permission.
      expect([query, status], text).to.deep.equal([query, query === '?shadow' ? 403 : 200]);
    }
    const { status } = await test('tester', { patch, tests: { cases } }, '', { 'Sluice-Override': 'x' });
    expect(status).to.equal(403);
    expect(JSON.stringify(reconciler.document)).to.equal(before);
    expect(reconciler.revision).to.equal(revision);
  });
});
