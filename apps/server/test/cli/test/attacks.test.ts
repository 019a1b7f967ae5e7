import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { Sandbox } from '../../support/sandbox.ts';

const socketKey = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };

describe('sluice test with complex configurations', function () {
  this.timeout(240_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  async function passes(caddyfile: string, cases: readonly object[]): Promise<void> {
    await sandbox.write('Caddyfile', caddyfile);
    const { stdout, stderr } = await sandbox.run(['test', await sandbox.write('sluice-test.json5', { cases })]);
    expect(stdout + stderr).to.match(new RegExp(`^${cases.length} cases?: ${cases.length} passed`));
  }

  it('sluice test supports templates, files, compression, authentication and aborted connections', async () => {
    await sandbox.write('site/index.html', '{{include "part.html"}} {{httpInclude "/inner"}} {{.Req.Host}}');
    await sandbox.write('site/part.html', 'part');
    await passes(
      `http://example.com {
	encode gzip
	respond /inner "inner"
	abort /cut
	basic_auth /secret {
		bob $2a$04$Bg3oyhqmZGqMq8GTSoQlSuOoGmDSBeBHmTVZIeQj4WMSRbMxnGrOu
	}
	handle /text {
		header Content-Type text/plain
		respond "${'long '.repeat(200)}"
	}
	root * ${sandbox.path('site')}
	templates
	file_server
}
`,
      [
        { request: 'http://example.com/', expect: { body: 'part inner example.com', headers: { etag: null } } },
        { request: { url: 'http://example.com/', headers: { 'Accept-Encoding': 'gzip' } }, expect: { status: 200 } },
        {
          request: { url: 'http://example.com/text', headers: { 'Accept-Encoding': 'gzip' } },
          expect: {
            headers: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
            body: { matches: '^(long ){200}$' },
          },
        },
        { request: 'http://example.com/cut', expect: { aborted: true } },
        { request: { url: 'http://example.com/cut', protocol: 'HTTP/1.0' }, expect: { aborted: true } },
        {
          request: 'http://example.com/secret',
          expect: { status: 401, headers: { 'www-authenticate': { present: true } } },
        },
        { request: 'http://example.com/missing.png', expect: { status: 404 } },
        { request: 'http://example.com/../../etc/passwd', expect: { status: 404 } },
      ],
    );
  });

  it('sluice test does not contact OpenID providers, and accepts declared sessions', async () => {
    const session = (claims: object): object => ({
      url: 'https://example.com/',
      headers: { Cookie: `__Host-sluice_session=${JSON.stringify(claims)}` },
    });
    await passes(
      `example.com {
	oidc {
		issuer https://id.invalid
		client_id app
		allowed_groups staff
		claim_header Remote-User email
	}
	reverse_proxy app:9000
}
`,
      [
        {
          request: { url: 'https://example.com/', headers: { Accept: 'text/html' } },
          expect: { status: 302, headers: { location: { matches: '^https://id.invalid/authorize[?]' } } },
        },
        { request: 'https://example.com/', expect: { status: 401 } },
        { request: session({ sub: '1', groups: ['guests'] }), expect: { status: 403 } },
        {
          request: session({ sub: '1', email: 'ada@example.com', groups: ['staff'] }),
          upstreams: { 'app:9000': { body: 'app' } },
          expect: { status: 200, body: 'app', sent: { headers: { 'Remote-User': 'ada@example.com' } } },
        },
      ],
    );
  });

  it('sluice test supports upgrades, large bodies, slow upstreams and dynamic upstreams @long', async () => {
    const large = 'x'.repeat(3_000_000);
    await passes(
      `example.com {
	reverse_proxy /found/* {
		dynamic srv _http._tcp.invalid
	}
	forward_auth /auth auth:9000 {
		uri /check
		copy_headers X-User
	}
	reverse_proxy /php php:9000 {
		transport fastcgi
	}
	reverse_proxy /tls https://secure:443
	reverse_proxy app:9000 {
		flush_interval -1
	}
}
`,
      [
        {
          request: { url: 'https://example.com/', headers: socketKey },
          upstreams: { 'app:9000': { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } } },
          expect: { status: 101, headers: { upgrade: 'websocket' }, sent: { headers: { upgrade: 'websocket' } } },
        },
        {
          request: { url: 'https://example.com/', body: large },
          upstreams: { 'app:9000': { body: large, delay: '50ms' } },
          expect: { status: 200, body: large, sent: { method: 'POST', body: large } },
        },
        {
          request: { url: 'https://example.com/', body: large, protocol: 'HTTP/1.1' },
          upstreams: { 'app:9000': { error: 'cut', body: large } },
          expect: { status: 200, aborted: true },
        },
        {
          request: 'https://example.com/',
          upstreams: { 'app:9000': { error: 'cut', body: 'half' } },
          expect: { body: 'half', aborted: true },
        },
        {
          request: 'https://example.com/found/x',
          upstreams: { '10.1.1.1:80': { body: 'found' } },
          expect: { body: 'found', upstream: '10.1.1.1:80' },
        },
        {
          request: 'https://example.com/auth',
          upstreams: { 'auth:9000': { headers: { 'X-User': 'bob' } }, 'app:9000': { body: 'in' } },
          expect: { body: 'in', sent: [{ upstream: 'auth:9000', uri: '/check' }, { headers: { 'x-user': 'bob' } }] },
        },
        {
          request: 'https://example.com/auth',
          upstreams: { 'auth:9000': { status: 403, body: 'no' } },
          expect: { status: 403, body: 'no' },
        },
        { request: 'https://example.com/php', upstreams: { 'php:9000': { body: 'php' } }, expect: { body: 'php' } },
        { request: 'https://example.com/tls', upstreams: { 'secure:443': { body: 's' } }, expect: { body: 's' } },
        { request: 'https://example.com/', upstreams: { '*': { error: 'timeout' } }, expect: { status: 504 } },
      ],
    );
  });

  it('sluice test runs a case with stateful modules in a separate instance', async () => {
    const upstreams = { '10.0.0.1:80': {}, '10.0.0.2:80': {} };
    const turn = { request: 'http://turns.example/', upstreams, fresh: true, expect: { upstream: '10.0.0.2:80' } };
    const first = { request: 'http://failing.example/', fresh: true };
    await passes(
      `http://turns.example {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy round_robin
	}
}
http://failing.example {
	reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
		lb_policy first
		fail_duration 1h
	}
}
`,
      [
        turn,
        turn,
        turn,
        { ...first, upstreams: { '*': { error: 'refused' } }, expect: { status: 502, upstream: '10.0.0.1:80' } },
        // Test cases start in order and run with limited concurrency.
        ...Array.from({ length: 40 }, () => ({ request: 'http://turns.example/', upstreams, expect: { status: 200 } })),
        { ...first, upstreams, expect: { upstream: '10.0.0.1:80' } },
      ],
    );
  });

  it('sluice test does not access files or services named in the configuration', async () => {
    await sandbox.write('kept/access.log', 'before\n');
    await passes(
      `{
	storage file_system ${sandbox.path('kept/storage')}
	skip_install_trust
	log {
		output file ${sandbox.path('kept/access.log')}
	}
	admin 127.0.0.1:1
	email admin@example.com
}
example.com:443 {
	log
	tls internal
	respond "hello"
}
public.example.com {
	respond "hello"
}
:1 {
	bind 192.0.2.1
	acme_server
	respond "hello"
}
`,
      ['https://example.com/', 'https://public.example.com/', 'http://192.0.2.1:1/'].map((request) => ({
        request,
        expect: { status: 200, body: 'hello' },
      })),
    );
    expect(await readFile(sandbox.path('kept/access.log'), 'utf8')).to.equal('before\n');
    expect(await readdir(sandbox.path('kept'))).to.deep.equal(['access.log']);
    expect((await readdir(sandbox.folder)).toSorted()).to.deep.equal(['Caddyfile', 'kept', 'sluice-test.json5']);
  });
});
