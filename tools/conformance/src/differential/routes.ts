/** Configuration with proxies that modify requests and responses in different ways. The first path segment selects the proxy. */

/** Proxy options by first path segment. */
const proxies: Readonly<Record<string, object>> = {
  plain: {},
  changed: {
    headers: {
      request: {
        set: { 'X-Up': ['{http.reverse_proxy.upstream.hostport}'], Accept: ['a', 'b'] },
        add: { Via: ['added'], 'X-Twice': ['3'] },
        delete: ['Cookie', 'X-F*'],
      },
      response: {
        set: { 'X-Status': ['{http.reverse_proxy.status_code}'], Server: ['proxied'] },
        add: { 'X-Twice': ['3'] },
        delete: ['Set-Cookie', 'X-Named'],
        replace: { Location: [{ search_regexp: '^/(.*)$', replace: 'https://pair.test/$1' }] },
      },
    },
  },
  buffered: { request_buffers: 4096, response_buffers: -1, flush_interval: -1 },
  trusted: { trusted_proxies: ['127.0.0.0/8'] },
  retried: { load_balancing: { retries: 1, try_interval: '1ms' } },
  uncompressed: { transport: { protocol: 'http', compression: false } },
  handled: {
    handle_response: [
      { match: { status_code: [5] }, routes: [{ handle: [{ handler: 'static_response', body: 'sorry' }] }] },
      {
        match: { status_code: [4] },
        routes: [
          { handle: [{ handler: 'headers', response: { set: { 'X-Was': ['{http.reverse_proxy.status_code}'] } } }] },
          { handle: [{ handler: 'copy_response_headers', exclude: ['Set-Cookie'] }] },
          { handle: [{ handler: 'static_response', status_code: 418, body: 'short' }] },
        ],
      },
      {
        match: { headers: { Location: ['*'] } },
        routes: [{ handle: [{ handler: 'copy_response', status_code: 299 }] }],
      },
      { match: { headers: { Etag: ['*'] } }, status_code: 298 },
    ],
  },
};

/** First path segments, one per proxy. Most pairs use the first segment. */
export const routeNames: readonly string[] = Object.keys(proxies);

/** Returns the configuration of a server at `port` that proxies to the upstream port. */
export function configTo(upstream: number, port: number): object {
  const server = {
    listen: [`127.0.0.1:${port}`],
    protocols: ['h1'],
    automatic_https: { disable: true },
    routes: routesTo(`127.0.0.1:${upstream}`),
  };
  const logging = { logs: { default: { level: 'ERROR', writer: { output: 'discard' } } } };
  return { logging, apps: { http: { servers: { s: server } } } };
}

function routesTo(dial: string): unknown[] {
  return Object.entries(proxies).map(([name, options]) => ({
    match: [{ path: [`/${name}/*`] }],
    handle: [
      {
        handler: 'reverse_proxy',
        upstreams: [{ dial }],
        ...options,
        transport: {
          protocol: 'http',
          response_header_timeout: '2s',
          ...(options as { transport?: object }).transport,
        },
      },
    ],
  }));
}
