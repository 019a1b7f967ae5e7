import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { adapterOf } from '../adapting.ts';

const { adapt, errorOf, expectResponses } = adapterOf('nginx');

function inServer(content: string): string {
  return `http {\n server {\n listen 80;\n${content}\n }\n}`;
}

describe('caddy.adapters.nginx: problems', () => {
  const errors: [name: string, text: string, message: RegExp][] = [
    ['an unterminated directive', 'http {\n server {\n listen 80\n }\n}', /line 3: directive "listen" must end with/],
    ['an unclosed block', 'http {\n server {\n', /line 2: block of "server" has no closing/],
    ['an extra closing brace', 'http { }\n}', /line 2: unexpected "}"/],
    ['an unterminated quoted string', 'http {\n add_header a "b;\n}', /line 2: string has no closing "/],
    ['text directly after a closing quote', 'http { add_header "a"b c; }', /line 1: expected a space/],
    ['a semicolon without a directive', '\n;', /line 2: expected a directive, not ";"/],
    [
      'a directive in the wrong block',
      'listen 80;',
      /line 1: listen is not allowed in the main context, only in server/,
    ],
    ['a location block directly in http', 'http {\n location / { }\n}', /line 2: location is not allowed in http/],
    [
      'an unknown listen parameter',
      inServer('listen 81 sll;'),
      /line 4: expected a parameter of listen such as ssl or default_server, not "sll"/,
    ],
    ['an invalid port', inServer('listen 99999;'), /line 4: expected an address or a port/],
    [
      'an invalid size',
      inServer('location / { client_max_body_size lots; proxy_pass http://a; }'),
      /line 4: expected a size such as 10m, not "lots"/,
    ],
    [
      'an invalid time',
      inServer('location / { proxy_read_timeout soon; proxy_pass http://a; }'),
      /line 4: expected a time/,
    ],
    ['an invalid time in expires', inServer('expires soon;'), /line 4: expected a time, off, epoch or max/],
    ['an invalid rewrite flag', inServer('rewrite a b lost;'), /line 4: expected last, break, redirect or permanent/],
    ['an invalid condition', inServer('if ($a == b) { return 400; }'), /line 4: expected =, !=, ~/],
    [
      'a condition without parentheses',
      inServer('if $a { return 400; }'),
      /line 4: expected a condition in parentheses/,
    ],
    ['an unsupported lookahead', inServer('location ~ /.(?=a)b { }'), /line 4: unsupported regular expression/],
    ['a backreference', inServer('location ~ (a)\\1 { }'), /line 4: unsupported regular expression/],
    [
      'a duplicate location',
      inServer('location /a { }\nlocation /a { }'),
      /line 5: duplicate location \/a; it is already defined on line 4/,
    ],
    [
      'a nested location outside its enclosing location',
      inServer('location /a { location /b { } }'),
      /line 4: location \/b is outside its enclosing location \/a/,
    ],
    [
      'a proxy_pass URI in a regex location',
      inServer('location ~ a { proxy_pass http://a/b; }'),
      /line 4: proxy_pass must not have a URI \(\/b\)/,
    ],
    [
      'a proxy_pass address without a scheme',
      inServer('location / { proxy_pass a:80; }'),
      /line 4: expected an address such as http:\/\/127.0.0.1:8080/,
    ],
    [
      'an allow rule for a host name',
      inServer('allow example.com;'),
      /line 4: expected an address, a range or all after allow/,
    ],
    [
      'a missing password file',
      inServer('auth_basic a;\nauth_basic_user_file /nowhere/users;'),
      /line 5: auth_basic_user_file \/nowhere\/users: /,
    ],
    [
      'auth_basic without a password file',
      inServer('auth_basic a;'),
      /line 4: auth_basic requires auth_basic_user_file/,
    ],
    ['a missing included file', 'http {\n include /nowhere/x.conf;\n}', /line 2: include \/nowhere\/x\.conf: /],
    [
      'an upstream whose servers are all down',
      'http { upstream u { server a:1 down; } server { location / { proxy_pass http://u; } } }',
      /upstream u has no server, or all are marked down/,
    ],
    [
      'a certificate without a key',
      inServer('listen 443 ssl; ssl_certificate /c.pem;'),
      /line 4: ssl_certificate requires ssl_certificate_key/,
    ],
    [
      'revocation lists for client certificates',
      inServer(
        'listen 443 ssl; ssl_certificate c; ssl_certificate_key k; ssl_verify_client on; ssl_client_certificate a;\nssl_crl r;',
      ),
      /line 5: ssl_crl is not supported; clients with a revoked certificate would be accepted/,
    ],
    [
      'a deny rule for Unix socket clients',
      inServer('listen unix:/run/a.sock;\ndeny unix:;'),
      /line 5: deny unix: is not supported; clients on the Unix socket would be allowed/,
    ],
    [
      'client verification without a CA',
      inServer('listen 443 ssl; ssl_certificate c; ssl_certificate_key k; ssl_verify_client on;'),
      /line 4: ssl_verify_client requires ssl_client_certificate/,
    ],
    ['an invalid error_page status', inServer('error_page often /x;'), /line 4: expected status codes from 300 to 599/],
    [
      'a flag that is neither on nor off',
      inServer('location / { autoindex maybe; }'),
      /line 4: autoindex must be "on" or "off", not "maybe"/,
    ],
  ];
  for (const [name, text, message] of errors) {
    it(`the nginx adapter rejects ${name}`, async () => {
      const error = await errorOf(text);
      expect(error.message).to.contain('with nginx: ').and.to.match(message);
      expect(error.status).to.equal(400);
    });
  }

  const warnings: [text: string, message: RegExp][] = [
    ['location / { limit_req zone=a; }', /limit_req is not supported: requests are not rate-limited/],
    ['sub_filter a b;', /sub_filter is not supported: response bodies are sent unmodified/],
    ['add_headr a b;', /unknown directive add_headr is ignored; did you mean add_header\?/],
    ['lua_code_cache off;', /unknown directive lua_code_cache is ignored/],
    ['location / { uwsgi_pass a:1; }', /uwsgi_pass is not supported: the location returns 501/],
    ['return 200 $nothing;', /unknown variable \$nothing is empty/],
    ['location / { proxy_pass https://a; }', /the upstream certificate is not verified/],
    [
      'location /a { auth_request /b; }',
      /auth_request \/b requires a location with proxy_pass; otherwise, every request is rejected/,
    ],
    ['expires @15h;', /expires @15h is not supported/],
    ['listen 81 backlog=10;', /backlog=10 has no effect/],
    ['root html;', /root html is relative to the directory of the configuration/],
    ['ssl_verify_depth 1;', /ssl_verify_depth is not supported: longer certificate chains are accepted/],
    ['proxy_ssl_crl r;', /proxy_ssl_crl is not supported: upstreams with a revoked certificate are trusted/],
    ['error_page 497 /x;', /status codes 494, 497 and 498 do not occur/],
    ['sendfile on;', /sendfile has no effect: /],
  ];
  for (const [text, message] of warnings) {
    it(`the nginx adapter warns about ${text}`, async () => {
      const { warnings: said } = await adapt(inServer(text), 'site.conf');
      const found = said.filter((warning) => message.test(warning.message));
      expect(found, JSON.stringify(said)).to.have.length(1);
      expect(found[0]).to.include({ file: 'site.conf', line: 4 });
    });
  }

  it('nginx warnings and errors name the included file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
    try {
      const write = (name: string, text: string): void => {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      };
      write('sites/a.conf', 'server {\n listen 80;\n mirror /x;\n}');
      write('sites/b.conf', 'server { listen 81; include more/c.inc; }');
      write('more/c.inc', '\n\nreturn 200 c;\n');
      const main = join(folder, 'nginx.conf');
      const { config, warnings: said } = await adapt('http { include sites/*.conf; }', main);
      expect(said).to.deep.equal([
        { file: join(folder, 'sites/a.conf'), line: 3, message: 'mirror is not supported: requests are not mirrored' },
      ]);
      expect(JSON.stringify(config)).to.contain('"body":"c"');
      write('more/c.inc', '\nreturn maybe;\n');
      const error = await adapt('http { include sites/*.conf; }', main).catch((it: unknown) => it as Error);
      expect(error)
        .to.have.property('message')
        .that.contains(`${join(folder, 'more/c.inc')}:2: expected a status code or a URL`);
      write('more/c.inc', 'include more/c.inc;');
      const circle = await adapt('http { include sites/*.conf; }', main).catch((it: unknown) => it as Error);
      expect(circle).to.have.property('message').that.contains('includes are nested more than 20 levels deep');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('nginx users with unsupported password hashes cause a warning, and these users cannot log in', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
    try {
      writeFileSync(
        join(folder, 'users'),
        '# people\nann:$apr1$a$b\nbob:$2y$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui\n',
      );
      const text = inServer('auth_basic "My {x}";\nauth_basic_user_file users;');
      const { config, warnings: said } = await adapt(text, join(folder, 'nginx.conf'));
      expect(said).to.have.length(1);
      expect(said[0]).to.include({ file: join(folder, 'users'), line: 2 });
      expect(said[0]?.message).to.contain('"ann"').and.to.contain('cannot log in');
      const document = JSON.stringify(config);
      expect(document).to.contain('"username":"bob"').and.to.contain('My \\\\{x\\\\}');
      expect(document).to.not.contain('apr1');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('the nginx adapter returns a configuration or a 400 error for any text', async () => {
    const words = [
      'http',
      'server',
      'location',
      'listen 80;',
      '{',
      '}',
      ';',
      ' ',
      '\n',
      '"',
      "'",
      '#',
      '\\',
      '$',
      '${',
      '~ ',
      '= /',
    ];
    const directives = [
      'return 200 ok;',
      'if ($a ~ b) {',
      'rewrite a b;',
      'server_name x;',
      'proxy_pass http://a/;',
      'map $a $b {',
      'try_files a =404;',
    ];
    await expectResponses(fc.oneof(fc.constantFrom(...words, ...directives), fc.string({ maxLength: 4 })));
  });
});
