/**
 * Tests for published Caddy advisories. Each test sends the exploit of a vulnerable version to Sluice. FastCGI is tested with its
 * transport, and client certificates with the `tls` app. docs/security.md lists all advisories.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { exchangeRaw, rawUpstream, response, type RawUpstream } from '../support/raw.ts';
import { config, says, TestServer } from '../support/server.ts';

const secret = 'kept-in-the-environment';

describe('published advisories about Caddy', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let upstream: RawUpstream;

  /** Creates a route for the paths below `path`. */
  const below = (path: string, ...handle: readonly unknown[]): Record<string, unknown> => ({
    match: [{ path: [`${path}/*`] }],
    handle,
    terminal: true,
  });
  const body = (text: string): Record<string, unknown> => ({ handler: 'static_response', body: text });

  before(async () => {
    sandbox = new Sandbox();
    upstream = await rawUpstream((socket, all) => {
      if (all.endsWith('\r\n\r\n')) socket.end(response('proxied'));
    });
    const root = sandbox.path('site');
    mkdirSync(join(root, 'private'), { recursive: true });
    for (const name of ['secret.txt', '[x].txt', 'private/a.txt']) writeFileSync(join(root, name), `file ${name}`);
    const hosts = Array.from({ length: 150 }, (_, i) => `host-${i}.test`);
    const routes = [
      { match: [{ host: [...hosts, 'guarded.test'] }], ...says('guarded host'), terminal: true },
      { match: [{ path: ['/escaped%2fguarded/*'] }], ...says('guarded path'), terminal: true },
      { match: [{ url_pattern: { pattern: '/public/*' } }], ...says('public'), terminal: true },
      {
        match: [{ path: ['/glob/*'], file: { root, try_files: ['/{http.request.uri.path.file}'] } }],
        ...says('found'),
      },
      below('/glob', body('not found')),
      {
        match: [{ path: ['/vars-regexp/*'], vars_regexp: { '{http.request.header.X}': { name: 'n', pattern: '.*' } } }],
        ...says('[{http.regexp.n.0}]'),
        terminal: true,
      },
      { match: [{ path: ['/vars/*'], vars: { '{http.request.header.X}': [secret] } }], ...says('opened') },
      below('/vars', body('closed')),
      below('/rewrite', { handler: 'rewrite', uri: '/rewritten{http.request.header.X}?' }, body('{http.request.uri}')),
      below('/proxy', { handler: 'reverse_proxy', upstreams: [{ dial: upstream.dial }] }),
      below('/fields', body('[{http.request.header.Remote_User}{http.request.header.Remote.User}]')),
      below(
        '/strip',
        { handler: 'templates', mime_types: ['text/plain'] },
        {
          handler: 'static_response',
          headers: { 'Content-Type': ['text/plain'] },
          body: '{{.Req.Header.Get "X" | stripHTML}}',
        },
      ),
      below('/files', { handler: 'rewrite', strip_path_prefix: '/files' }, { handler: 'file_server', root }),
      says('other'),
    ];
    server = await TestServer.run(sandbox, routes, [], { env: { SECRET: secret } });
  });
  after(async () => {
    await upstream.close();
    await sandbox.remove();
  });

  const ask = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await server.http(path, { headers })).text;

  it('CVE-2026-27588 (GHSA-x76f-jf84-rqj8): host matching is case-insensitive, even with many hosts', async () => {
    for (const host of ['guarded.test', 'GUARDED.TEST', 'Guarded.Test:80', 'hOsT-77.test'])
      expect(await ask('/', { host }), host).to.equal('guarded host');
  });

  it('CVE-2026-27587 (GHSA-g7pc-pc7g-h8jh): path matching is case-insensitive for escaped paths', async () => {
    for (const path of ['/escaped%2fguarded/a', '/ESCAPED%2FGUARDED/a', '/Escaped%2fGuarded/A'])
      expect(await ask(path), path).to.equal('guarded path');
  });

  it('CVE-2026-27585 (GHSA-4xrr-hq4w-6vf4): the file server treats pattern characters in a request path literally', async () => {
    expect(await ask('/glob/secret.txt')).to.equal('found');
    expect(await ask('/glob/%5Bx%5D.txt')).to.equal('found');
    for (const name of [
      's*.txt',
      'secret.tx%3F',
      '%5Bs%5Decret.txt',
      'se%5Ccret.txt',
      '*',
      '%7Bsecret%7D.txt',
      'x.txt',
    ])
      expect(await ask(`/glob/${name}`), name).to.equal('not found');
  });

  it('CVE-2026-30852 (GHSA-m2w3-8f23-hxxf, GO-2026-5730): matchers do not expand placeholders in client input', async () => {
    expect(await ask('/vars-regexp/', { x: '{env.SECRET}' })).to.equal('[{env.SECRET}]');
    expect(await ask('/vars/', { x: '{env.SECRET}' })).to.equal('closed');
    expect(await ask('/vars/', { x: secret })).to.equal('opened');
  });

  it('GHSA-j8px-rmrx-76h9: rewrites do not expand placeholders in client queries', async () => {
    for (const x of ['?a={env.SECRET}', '?{env.SECRET}', '?a=1&{env.SECRET}=2', '%3Fa={env.SECRET}']) {
      const text = await ask('/rewrite/', { x });
      expect(text, x).to.match(/^\/rewritten/);
      expect(text, x).to.not.contain(secret);
    }
  });

  it('CVE-2026-52845 (GHSA-f59h-q822-g45g), GHSA-49wc-4hcv-v58q: headers with ambiguous CGI variable names are dropped', async () => {
    const fields = ['Remote_User', 'REMOTE_USER', 'Remote.User', 'Remote_User.Name', '_', 'a.b_c'];
    const lines = fields.map((name) => `${name}: admin\r\n`).join('');
    await exchangeRaw(server.httpPort, `GET /proxy/ HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    const received = upstream.received.at(-1) ?? '';
    expect(received).to.match(/^GET \/proxy\/ HTTP\/1\.1\r\n/);
    expect(received).to.not.contain('admin');
    expect(await exchangeRaw(server.httpPort, `GET /fields/ HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)).to.contain('\r\n[]');
  });

  it('GO-2026-6874: the proxy does not forward headers listed in Connection', async () => {
    const lines =
      'Connection: close, X-Hop\r\nConnection: x-other\r\nX-Hop: 1\r\nX-Other: 2\r\nTE: gzip\r\nKeep-Alive: 5\r\n';
    await exchangeRaw(server.httpPort, `GET /proxy/hop HTTP/1.1\r\nHost: a\r\n${lines}Proxy-Connection: x\r\n\r\n`);
    const received = (upstream.received.at(-1) ?? '').toLowerCase();
    expect(received).to.match(/^get \/proxy\/hop/);
    for (const name of ['x-hop', 'x-other', 'te', 'keep-alive', 'proxy-connection', 'connection'])
      expect(received, name).to.not.contain(`\r\n${name}:`);
  });

  it('GHSA-vcc4-2c75-vc9v: stripHTML removes all tags', async () => {
    const tricks = [
      '<<>img src=x onerror=alert(1)>',
      '<<script>script>alert(1)<</script>/script>',
      '<a href=">"><img src=x>',
      "<a href='>'><b>",
      '<<<b>>>',
    ];
    for (const x of tricks) expect(await ask('/strip/', { x }), x).to.not.match(/<\s*\/?[a-z]/i);
    expect(await ask('/strip/', { x: 'a <b>c</b> d' })).to.equal('a c d');
  });

  // Attack in docs/security.md: `..%2f` in `url_pattern` (fixed in Caddy 2.11.5).
  it('url_pattern bypass in 2.11.5: url_pattern matches escaped slashes', async () => {
    expect(await ask('/public/a')).to.equal('public');
    for (const path of [
      '/public/..%2fadmin/secret',
      '/public/%2e%2e/admin',
      '/public/..%2Fadmin',
      '/public/%2e%2e%2fadmin',
    ])
      expect(await ask(path), path).to.not.equal('public');
  });

  // Attack in docs/security.md: Files whose modification times and sizes concatenate to the same digits (fixed in Caddy 2.11.6).
  it('ETag collision in 2.11.6: files with different times or sizes have different ETags', async () => {
    const root = sandbox.path('site');
    const tags = new Set<string>();
    // Modification times and sizes whose digits are equal in every base if they are concatenated without a separator.
    const pairs = [
      [1, 11],
      [11, 1],
      [1, 1],
      [111, 1],
      [1, 111],
    ] as const;
    for (const [seconds, size] of pairs) {
      writeFileSync(join(root, 'tagged.bin'), 'x'.repeat(size));
      utimesSync(join(root, 'tagged.bin'), seconds, seconds);
      tags.add(String((await server.http('/files/tagged.bin')).headers['etag']));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([...tags].join(' ')).to.match(/^"[^"]+"( "[^"]+")*$/);
    expect(tags.size).to.equal(pairs.length);
  });

  it('CVE-2026-45692 (GHSA-x5w9-xh9r-mvfc): each array element has exactly one configuration path', async () => {
    const routes = '/config/apps/http/servers/s/routes';
    expect((await server.admin(`${routes}/1`)).status).to.equal(200);
    for (const index of ['01', '+1', '1.0', '0x1', '1e0', ' 1', '%201', '-0', '１'])
      expect((await server.admin(`${routes}/${encodeURI(index)}`)).status, index).to.be.at.least(400);
  });

  it('CVE-2026-27589 (GHSA-879p-475x-rqh2): pages from other origins cannot change the configuration', async () => {
    const before = (await server.admin('/config/')).text;
    const other = config(server.adminPort, server.httpPort, [says('taken over')]);
    const pages: readonly Record<string, string>[] = [
      { origin: 'http://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' },
      { host: 'evil.test' },
      { origin: 'http://evil.test', 'sec-fetch-mode': 'no-cors' },
    ];
    for (const headers of pages) {
      const { status } = await server.admin('/load', {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain', ...headers },
        text: JSON.stringify(other),
      });
      expect(status, JSON.stringify(headers)).to.be.within(400, 499);
      const json = await server.admin('/load', { method: 'POST', headers, body: other });
      expect(json.status, JSON.stringify(headers)).to.be.within(400, 499);
    }
    expect((await server.admin('/config/')).text).to.equal(before);
  });
});
