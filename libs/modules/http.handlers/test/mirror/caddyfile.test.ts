import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile, lintFindings } from '@sluice/testing';
import { explainRoutes } from '../explain/support.ts';

const everything = `:80 {
	mirror localhost:9001 localhost:9002 {
		share 12.5%
		max_concurrent 20
		max_body_size 64KiB
		timeout 5s
		to localhost:9003
		lb_policy round_robin
		trusted_proxies private_ranges
		header_up X-Shadow 1
		method PUT
		rewrite /shadow{uri}
		transport http {
			dial_timeout 2s
		}
	}
	reverse_proxy localhost:9000
	encode gzip
}
`;

const handlersOf = (document: Json): readonly { readonly handler: string }[] =>
  (document as { apps: { http: { servers: { srv0: { routes: { handle: { handler: string }[] }[] } } } } }).apps.http
    .servers.srv0.routes[0]?.handle ?? [];

const codesOf = async (site: string): Promise<readonly string[]> =>
  (await lintFindings(await fromCaddyfile(`:8080 {\n${site}\n}\n`), []))
    .filter(({ code }) => code === 'SL065')
    .map(({ path, message }) => `${path.replace(/^.*handle\[0\]/, '')} ${message}`);

describe('mirror directive', () => {
  it('the mirror directive sets every option of the handler, and runs after encode and before reverse_proxy', async () => {
    const document = await fromCaddyfile(everything);
    const handlers = handlersOf(document);
    expect(handlers.map(({ handler }) => handler)).to.deep.equal(['encode', 'mirror', 'reverse_proxy']);
    expect(handlers[1]).to.deep.include({
      share: 0.125,
      max_concurrent: 20,
      max_body_size: 65_536,
      timeout: 5_000_000_000,
      upstreams: [{ dial: 'localhost:9001' }, { dial: 'localhost:9002' }, { dial: 'localhost:9003' }],
      load_balancing: { selection_policy: { policy: 'round_robin' } },
      headers: { request: { set: { 'X-Shadow': ['1'] } } },
      rewrite: { method: 'PUT', uri: '/shadow{http.request.uri}' },
      transport: { protocol: 'http', dial_timeout: 2_000_000_000 },
    });
    expect((await asCaddyfile(document)).verdict).to.equal('identical');
  });

  it('the mirror directive rejects a share that is not a number from 0 to 1, and unknown options', async () => {
    for (const line of ['share 101%', 'share 1.5', 'share much', 'share -1', 'health_uri /x', 'handle_response']) {
      const error: unknown = await fromCaddyfile(`:80\nmirror localhost:1 {\n${line}\n}\n`).catch(
        (each: unknown) => each,
      );
      expect(String(error), line).to.match(/bad share|unrecognized mirror subdirective/);
    }
  });

  it('SL065 reports mirrors that have no effect, and mirrors to the upstream of the proxy', async () => {
    expect(await codesOf('mirror localhost:1 {\nshare 0\n}\nreverse_proxy localhost:2')).to.deep.equal([
      '.share copies no requests: increase the share, or remove the mirror',
    ]);
    expect(await codesOf('mirror\nreverse_proxy localhost:2')).to.have.length(1);
    expect(await codesOf('mirror localhost:1 localhost:2\nroute {\nreverse_proxy localhost:2\n}')).to.deep.equal([
      '.upstreams[1].dial also receives the original requests, so it handles each one twice: set a different address',
    ]);
  });

  it('SL065 reports a mirror that sends copies to its own server', async () => {
    const message =
      'is an address of this server, which would copy the copies again in an endless loop: set a different address';
    expect(await codesOf('mirror localhost:8080\nrespond hi')).to.deep.equal([`.upstreams[0].dial ${message}`]);
    expect(await codesOf('mirror 127.0.0.1:8081 other.example:8080\nrespond hi')).to.deep.equal([]);
  });

  it('SL065 accepts mirrors to other upstreams, and modified copies', async () => {
    expect(await codesOf('mirror localhost:1\nreverse_proxy localhost:2')).to.deep.equal([]);
    expect(await codesOf('mirror localhost:2 {\nrewrite /shadow{uri}\n}\nreverse_proxy localhost:2')).to.deep.equal([]);
  });

  it('explain continues after a mirror, and does not send copies', async () => {
    const routes = [
      { handle: [{ handler: 'mirror', upstreams: [{ dial: '10.0.0.9:80' }] }, { handler: 'static_response' }] },
    ];
    const { outcome } = await explainRoutes(routes, 'http://a.example/');
    expect(outcome).to.include({ kind: 'response', status: 200, handler_id: 'http.handlers.static_response' });
  });
});
