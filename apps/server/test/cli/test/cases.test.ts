import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { readdir, readFile } from 'node:fs/promises';
import type { CoverageReport } from '../../../src/cli/test/coverage.ts';
import { Sandbox, type Ended } from '../../support/sandbox.ts';

const site = `example.com {
	log {
		output file access.log
	}
	@in remote_ip 10.0.0.0/8
	handle /api/* {
		uri strip_prefix /api
		reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
			lb_policy first
			lb_retries 1
		}
	}
	handle_errors {
		respond "error {err.status_code}"
	}
	respond @in "in"
	respond "out" 403
}
`;

describe('sluice test', function () {
  this.timeout(240_000);
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = new Sandbox();
    await sandbox.write('Caddyfile', site);
  });
  afterEach(() => sandbox.remove());

  async function run(cases: unknown, ...args: string[]): Promise<Ended> {
    const file = await sandbox.write('cases.sluice-test.json5', typeof cases === 'string' ? cases : { cases });
    return sandbox.run(['test', file, ...args]);
  }

  it('sluice test passes cases with the expected responses over all protocols', async () => {
    const { code, stdout } = await run([
      { request: { url: 'https://example.com/', client: '10.1.2.3' }, expect: { status: 200, body: 'in' } },
      { request: 'https://example.com/', expect: { status: 403, body: 'out', route: 'Caddyfile:17' } },
      { request: { url: 'https://example.com/', protocol: 'HTTP/1.1' }, expect: { status: '4xx' } },
      { request: 'http://example.com/a', expect: { status: 308, headers: { Location: 'https://example.com/a' } } },
      { request: { url: 'http://example.com/', protocol: 'HTTP/1.0' }, expect: { status: 308 } },
    ]);
    expect(stdout).to.match(/^5 cases: 5 passed \(\d+ ms\)\n$/);
    expect(code).to.equal(0);
  });

  it('sluice test mocks upstreams and checks their requests', async () => {
    const file = await sandbox.write(
      'cases.yaml',
      `upstreams:
  "10.0.0.1:80": {status: 201, headers: {X-From: one}, body: hello}
cases:
  - request: {url: "https://example.com/api/x?y=1", body: abc, headers: {X-Mine: [a, b]}}
    expect:
      status: 201
      headers: {x-from: one, x-none: null}
      body: {contains: ell}
      upstream: "10.0.0.1:80"
      sent:
        method: POST
        uri: "/x?y=1"
        host: example.com
        headers: {x-mine: [a, b], x-forwarded-for: 192.0.2.1}
        body: abc
  - request: https://example.com/api/
    upstreams:
      "10.0.0.1:80": {error: refused}
      "10.0.0.2:80": {body: from the other}
    expect: {body: from the other, sent: [{upstream: "10.0.0.1:80"}, {upstream: "10.0.0.2:80"}]}
  - request: https://example.com/api/
    upstreams: {"*": {error: cut, body: half}}
    expect: {status: 200, body: half, aborted: true}
  - request: https://example.com/api/
    upstreams: {"*": {error: reset}}
    expect: {status: 502, body: error 502}
`,
    );
    const { code, stdout } = await sandbox.run(['test', file]);
    expect(stdout).to.match(/^4 cases: 4 passed/);
    expect(code).to.equal(0);
  });

  it('sluice test prints differences with the locations of the case and the route, and exits with 1', async () => {
    const { code, stdout } = await run([
      { name: 'wrong', request: 'https://example.com/', expect: { status: 200, body: 'in', headers: { 'x-y': 'z' } } },
    ]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/✗ wrong \(.*cases\.sluice-test\.json5:1:11\)\n/);
    expect(stdout).to.include('    status: expected 200, got 403\n');
    expect(stdout).to.include('    header x-y: expected "z", got absent\n');
    expect(stdout).to.include('    body: expected "in", got "out"\n');
    expect(stdout).to.match(
      /got 403 by apps\.http\.servers\.srv0\.routes\[0\]\S* \(.*Caddyfile:17\), by http\.handlers\.static_response/,
    );
  });

  it('sluice test fails a case that matches no route, unless the case expects this', async () => {
    const { code, stdout } = await run([
      { name: 'silent', request: 'https://other.example/', expect: { status: 200 } },
      { name: 'meant', request: 'https://other.example/', expect: { status: 200, route: null } },
    ]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/✗ silent .*\n {4}route:/);
    expect(stdout).to.include('2 cases: 1 passed, 1 failed');
  });

  it('sluice test fails a case if an upstream has no mock', async () => {
    const { stdout } = await run([{ request: 'https://example.com/api/', expect: { status: 502 } }]);
    expect(stdout).to.include('none for 10.0.0.1:80; declare it under "upstreams"');
  });

  it('sluice test does not write to configured or user files', async () => {
    const { code } = await run([{ request: 'https://example.com/', expect: { status: 403 } }]);
    expect(code).to.equal(0);
    expect((await readdir(sandbox.folder)).toSorted()).to.deep.equal(['Caddyfile', 'cases.sluice-test.json5']);
  });

  it('sluice test prints TAP, and writes JUnit and coverage files, even if cases fail', async () => {
    const { code, stdout } = await run(
      [
        { name: 'one # 1', request: 'https://example.com/', expect: { status: 403 } },
        { name: 'two <&>', request: 'https://example.com/', expect: { status: 200 } },
        { name: 'three', request: 'https://example.com/', expect: {}, skip: 'later' },
      ],
      ...['--tap', '--junit', 'junit.xml', '--coverage', '--coverage-json', 'coverage.json'],
    );
    expect(code).to.equal(1);
    expect(stdout).to.match(/^TAP version 14\n1\.\.3\nok 1 - one \\# 1\n {2}---\n/);
    expect(stdout).to.match(
      /\nnot ok 2 - two <&>\n {2}---\n[^]*expected: "200"\n {6}got: "403"\n[^]* {2}\.\.\.\nok 3 - three # SKIP later\n/,
    );
    expect(stdout).to.match(/\n# coverage of .*Caddyfile: [\d.]+ %, \d of 8 routes/);
    const junit = await readFile(sandbox.path('junit.xml'), 'utf8');
    expect(junit).to.match(/<testsuites name="sluice test" tests="3" failures="1" errors="0" skipped="1"/);
    expect(junit).to.include('<failure type="difference" message="status: expected 200, got 403">');
    expect(junit).to.include('name="two &lt;&amp;&gt;"');
    const [covered] = JSON.parse(await readFile(sandbox.path('coverage.json'), 'utf8')) as [CoverageReport];
    const matcherOf = (name: string) => covered.matchers.find(({ path }) => path.endsWith(name));
    expect(matcherOf('remote_ip')).to.include({ true: 0, false: 2 });
    expect(matcherOf('remote_ip')?.source).to.match(/Caddyfile:\d+$/);
    expect(
      covered.routes.filter(({ reached }) => reached === 0).map(({ source }) => source?.replace(/.*:/, '')),
    ).to.include('6');
  });

  it('sluice test fails if the coverage is too low', async () => {
    const cases = [{ request: 'https://example.com/', expect: { status: 403 } }];
    const low = await run(cases, '--coverage-min', '90');
    expect(low.code).to.equal(1);
    expect(low.stderr).to.match(/^coverage of .*Caddyfile is [\d.]+ %, below 90 %\n$/);
    expect((await run(cases, '--coverage-min', '10')).code).to.equal(0);
  });

  it('sluice test runs the output of sluice explain --as-test @long', async () => {
    const args = [
      'explain',
      'https://example.com/api/x?y=1',
      '-H',
      'X-A: b',
      '--client',
      '10.0.0.9',
      '-c',
      'Caddyfile',
      '--as-test',
    ];
    const made = await sandbox.run(args);
    expect(made.code).to.equal(0);
    const { cases } = JSON.parse(made.stdout) as { readonly cases: readonly [Json] };
    expect(cases[0]).to.nested.include({ 'expect.upstream': '10.0.0.1:80', 'expect.sent.uri': '/x?y=1' });
    const file = await sandbox.write('sluice-test.json5', made.stdout);
    expect(file).to.be.a('string');
    const { code, stdout } = await sandbox.run(['test']);
    expect(stdout).to.match(/^1 case: 1 passed/);
    expect(code).to.equal(0);
    const unknown = await sandbox.run(['explain', 'https://example.com/', '-c', 'Caddyfile', '--as-test']);
    expect(unknown.stderr).to.include('provide client address');
    expect(unknown.code).to.equal(1);
  });

  const refused: readonly (readonly [text: string, message: RegExp])[] = [
    ['{ cases: [{ request: "x" expect: {} }] }', /:1:26: expected a comma/],
    ['{ cases: [\n  { request: "http://x/", expct: {} }] }', /:2:3: cases\[0\]: /],
    [
      '{ cases: [\n  { request: "http://x/", expect: { statu: 1 } }] }',
      /:2:35: cases\[0\]\.expect: unknown key .*did you mean status\?/,
    ],
    [
      '{ cases: [\n  { request: "http://x/", expect: { headers: { A: { equal: "" } } } }] }',
      /unknown key .*equal.*did you mean equals\?/,
    ],
    ['{ cases: [], upstreams: { "10.0.0.1": {} } }', /:1:\d+: .*10\.0\.0\.1/],
    ['{ config: "none.json", cases: [] }', /none\.json/],
  ];
  for (const [text, message] of refused) {
    it(`sluice test rejects ${text.replaceAll('\n', ' ')} and reports the location`, async () => {
      const { code, stderr } = await run(text);
      expect(stderr).to.match(message);
      expect(code).to.equal(2);
    });
  }
});
