import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import type { TestServer } from '@sluice/testing';
import { findPhpFpm, startPhpFpm } from './php-fpm.ts';
import { Opened, proxyTo, serving } from './support.ts';

const scripts = {
  'show.php': '<?php header("Content-Type: application/json"); echo json_encode($_SERVER);',
  'body.php':
    '<?php echo $_SERVER["REQUEST_METHOD"], "|", $_SERVER["CONTENT_TYPE"] ?? "", "|", $_POST["a"] ?? "", "|", strlen(file_get_contents("php://input"));',
  'missing.php':
    '<?php http_response_code(404); header("X-Why: none"); setcookie("a", "1"); setcookie("b", "2"); echo "no";',
  'away.php': '<?php header("Location: /elsewhere");',
  'large.php': '<?php for ($i = 0; $i < 2000; $i++) echo str_repeat(chr(97 + $i % 26), 1000);',
  'index.php': '<?php echo json_encode(["index", $_SERVER["PATH_INFO"] ?? null, $_SERVER["PHP_SELF"]]);',
  'admin.php': '<?php echo "secret";',
  'other.php': '<?php echo "other";',
  'fail.php': '<?php error_log("went wrong"); http_response_code(500);',
};

describe('http.handlers.reverse_proxy with a real php-fpm', () => {
  const opened = new Opened();
  const command = findPhpFpm();
  let proxy: TestServer;
  let root = '';
  let proxyOf = (): JsonObject => ({});

  before(async function () {
    if (command === null) this.skip();
    const php = opened.add(await startPhpFpm(command, scripts));
    ({ root } = php);
    const transport: JsonObject = { protocol: 'fastcgi', root, split_path: ['.php'], env: { APP_MODE: 'test' } };
    proxyOf = () => proxyTo(php.dial, { transport });
    proxy = opened.add(await serving([proxyOf()]));
  });

  after(() => opened.close());

  /** Serves a typical PHP site with existing files, scripts with path info, and a front controller. */
  async function site(path: string): Promise<readonly [status: number, text: string]> {
    const tries = ['{http.request.uri.path}', '{http.request.uri.path}/index.php', 'index.php'];
    const routes = [
      { match: [{ path: ['/admin*'] }], handle: [{ handler: 'static_response', status_code: 403 }] },
      {
        match: [{ file: { root, try_files: tries, split_path: ['.php'] } }],
        handle: [{ handler: 'rewrite', uri: '{http.matchers.file.relative}' }],
      },
    ];
    const made = await serving([{ handler: 'subroute', routes }, proxyOf()]);
    try {
      const { status, text } = await made.request(path);
      return [status, text];
    } finally {
      await made.close();
    }
  }

  const pages: readonly [path: string, status: number, text: string][] = [
    ['/index.php/apps/files?x', 200, '["index","\\/apps\\/files","\\/index.php\\/apps\\/files"]'],
    ['/index.php/a%20b/..%2fc', 200, '["index","\\/c","\\/index.php\\/c"]'],
    ['/index.php', 200, '["index","","\\/index.php"]'],
    ['/no/such/page', 200, '["index","","\\/index.php"]'],
    ['/admin.php', 403, ''],
    ['/other.php', 200, 'other'],
    ['/index.php/../admin.php', 403, ''],
    ['/admin.php/..%2fother.php', 200, 'other'],
    ['/admin.php/%2e%2e/other.php', 200, 'other'],
    ['/other.php/..%252fadmin.php', 200, 'other'],
  ];
  for (const [path, status, text] of pages) {
    it(`php-fpm responds correctly to ${path} on a site with a protected script`, async () => {
      expect(await site(path)).to.deep.equal([status, text]);
    });
  }

  const escapes = ['/other.php/..%2fadmin.php', '/admin.php/..%2fother.php', '/admin.php/%2e%2e/other.php'];
  for (const path of escapes) {
    it(`php-fpm never runs a protected script for ${path} without a rewrite`, async () => {
      const made = await serving([
        {
          handler: 'subroute',
          routes: [{ match: [{ path: ['/admin*'] }], handle: [{ handler: 'static_response', status_code: 403 }] }],
        },
        proxyOf(),
      ]);
      try {
        const { status, text } = await made.request(path);
        expect(text).not.to.include('secret');
        expect(status).to.be.oneOf([400, 403]);
      } finally {
        await made.close();
      }
    });
  }

  it('php-fpm receives the CGI variables of the request', async () => {
    const { status, text } = await proxy.request({
      path: '/show.php/more%20info?q=1&r=a%20b',
      host: 'php.test:8080',
      headers: { 'X-Own': 'yes', 'User-Agent': 'tests', Proxy: 'evil' },
    });
    expect(status).to.equal(200);
    const server = JSON.parse(text) as Record<string, string>;
    expect(server).to.include({
      REQUEST_METHOD: 'GET',
      SCRIPT_NAME: '/show.php',
      SCRIPT_FILENAME: `${root}/show.php`,
      PATH_INFO: '/more info',
      QUERY_STRING: 'q=1&r=a%20b',
      REQUEST_URI: '/show.php/more%20info?q=1&r=a%20b',
      DOCUMENT_ROOT: root,
      SERVER_NAME: 'php.test',
      SERVER_PORT: '8080',
      SERVER_PROTOCOL: 'HTTP/1.1',
      REMOTE_ADDR: '127.0.0.1',
      HTTP_HOST: 'php.test:8080',
      HTTP_X_OWN: 'yes',
      HTTP_USER_AGENT: 'tests',
      APP_MODE: 'test',
    });
    expect(server).not.to.have.property('HTTP_PROXY');
  });

  it('php-fpm receives small and large request bodies', async () => {
    const type = 'application/x-www-form-urlencoded';
    const form = await proxy.request({
      method: 'POST',
      path: '/body.php',
      headers: { 'Content-Type': type },
      body: 'a=b%20c',
    });
    expect(form.text).to.equal(`POST|${type}|b c|7`);
    const large = await proxy.request({
      method: 'PUT',
      path: '/body.php',
      headers: { 'Content-Type': 'a/b' },
      body: 'x'.repeat(300_000),
    });
    expect(large.text).to.equal('PUT|a/b||300000');
  });

  it('reverse_proxy passes on the status, fields and cookies of php-fpm responses', async () => {
    const { status, headers, text } = await proxy.request('/missing.php');
    expect([status, headers.get('x-why'), text]).to.deep.equal([404, 'none', 'no']);
    expect(headers.all('set-cookie')).to.deep.equal(['a=1', 'b=2']);
    const away = await proxy.request('/away.php');
    expect([away.status, away.headers.get('location')]).to.deep.equal([302, '/elsewhere']);
    expect((await proxy.request('/fail.php')).status).to.equal(500);
  });

  it('large php-fpm responses are streamed concurrently', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => proxy.request('/large.php')));
    for (const { text } of responses) {
      expect(text.length).to.equal(2_000_000);
      expect(text.slice(26_000, 26_003)).to.equal('aaa');
    }
  });

  it('reverse_proxy passes on the php-fpm response to a request for a missing script', async () => {
    const { status, text } = await proxy.request('/none.php');
    expect([status, text]).to.deep.equal([404, 'File not found.\n']);
  });

  it('php-fpm responds to HEAD without a body', async () => {
    const head = await proxy.request({ method: 'HEAD', path: '/missing.php' });
    expect([head.status, head.text]).to.deep.equal([404, '']);
  });
});
