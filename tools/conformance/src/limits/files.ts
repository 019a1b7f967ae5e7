/** Generates configurations and test cases for timing measurements. */
import type { Json } from '@sluice/base';

/** Returns a server with `count` routes, each for one host. */
export function sites(count: number): Json {
  const routes = Array.from({ length: count }, (_, i) => ({
    match: [{ host: [`h${i}.example.com`] }],
    handle: [{ handler: 'static_response', body: `site ${i}` }],
    terminal: true,
  }));
  return {
    logging: { logs: { default: { writer: { output: 'discard' } } } },
    apps: { http: { servers: { s: { routes, automatic_https: { disable: true } } } } },
  };
}

/** Returns a Caddyfile with an upstream, rewrites and a matcher, and `count` test cases for it. */
export function casesFile(count: number): Readonly<Record<string, string>> {
  const cases = Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? {
          name: `case ${i}`,
          request: `https://example.com/api/${i}?page=${i}`,
          expect: { status: 200, upstream: '10.0.0.1:80', sent: { uri: `/${i}?page=${i}` } },
        }
      : {
          name: `case ${i}`,
          request: { url: `https://example.com/${i}`, client: i % 4 === 1 ? '10.1.2.3' : '192.0.2.7' },
          expect: i % 4 === 1 ? { status: 200, body: 'in' } : { status: 403 },
        },
  );
  return {
    Caddyfile: `example.com {
	@in remote_ip 10.0.0.0/8
	handle /api/* {
		uri strip_prefix /api
		reverse_proxy 10.0.0.1:80
	}
	respond @in "in"
	respond "out" 403
}
`,
    'all.sluice-test.json5': JSON.stringify({ upstreams: { '10.0.0.1:80': { body: 'from there' } }, cases }),
  };
}
