/** Server configurations for the benchmarks. */

/** Returns a server configuration that contains these routes and disables automatic HTTPS. `http` contains additional options of the app. */
export function withRoutes(routes: readonly unknown[], http: object = {}): (port: number) => unknown {
  return (port) => ({
    apps: {
      http: {
        ...http,
        servers: {
          s: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, protocols: ['h1'], routes },
        },
      },
    },
  });
}

/** Routes that send the same response to all requests. */
export const plain: unknown[] = [{ handle: [{ handler: 'static_response', body: 'Hello, world!' }] }];

/** Returns a configuration with the plain response and an access log. The log contains only this server's entries. */
export function withAccessLog(writer: object): (port: number) => unknown {
  return (port) => {
    const config = withRoutes(plain)(port) as { apps: { http: { servers: { s: object } } } };
    Object.assign(config.apps.http.servers.s, { logs: {} });
    const access = { writer, include: ['http.log.access'] };
    return { ...config, logging: { logs: { default: { exclude: ['http.log.access'] }, access } } };
  };
}

/** Twenty routes with several kinds of matchers, header operations and placeholders. The last route responds. */
export const twentyRoutes: unknown[] = [
  {
    handle: [
      {
        handler: 'headers',
        response: {
          set: { 'X-Frame-Options': ['DENY'], 'X-Request': ['{http.request.method} {http.request.uri.path}'] },
        },
      },
    ],
  },
  { handle: [{ handler: 'vars', tenant: '{http.request.host.labels.2}' }] },
  ...Array.from({ length: 6 }, (_, i) => ({
    match: [{ path: [`/section-${i}/*`], method: ['GET'] }],
    handle: [{ handler: 'static_response', body: `section ${i}` }],
  })),
  ...Array.from({ length: 5 }, (_, i) => ({
    match: [{ header: { 'X-Variant': [`v${i}*`] } }],
    handle: [{ handler: 'static_response', body: `variant ${i}` }],
  })),
  ...Array.from({ length: 4 }, (_, i) => ({
    match: [{ query: { mode: [`m${i}`] } }],
    handle: [{ handler: 'static_response', body: `mode ${i}` }],
  })),
  {
    match: [{ path_regexp: { name: 'id', pattern: '^/api/v([0-9]+)/users/([^/]+)$' } }],
    handle: [{ handler: 'vars', id: '{http.regexp.id.2}' }],
  },
  { match: [{ not: [{ method: ['GET', 'POST'] }] }], handle: [{ handler: 'static_response', status_code: 405 }] },
  {
    handle: [
      {
        handler: 'static_response',
        headers: { 'X-Tenant': ['{http.vars.tenant}'] },
        body: '{http.request.host} {http.request.uri} {http.vars.id}',
      },
    ],
  },
];

/** Returns one route per host: `h0.example.test`, `h1.example.test` and so on. */
export function hosts(count: number): unknown[] {
  return Array.from({ length: count }, (_, i) => ({
    match: [{ host: [`h${i}.example.test`] }],
    handle: [{ handler: 'static_response', body: `host ${i}` }],
    terminal: true,
  }));
}

/** Returns the equivalent nginx configuration. It has one server block per host. The scenario supplies the block of the first host. */
export function nginxHosts(count: number, first: number): { server: string; beside: string } {
  const block = (i: number): string =>
    `server_name h${i}.example.test; default_type text/plain; location / { return 200 "host ${i}"; }`;
  const others = Array.from({ length: count }, (_, i) => i).filter((i) => i !== first);
  return { server: block(first), beside: others.map((i) => `server { {listen} ${block(i)} }`).join('\n') };
}

/** Approximate nginx equivalent of the twenty routes, for the scenario's request. */
export const nginxTwentyRoutes = `
default_type text/plain;
add_header X-Frame-Options DENY; add_header X-Request "$request_method $uri"; add_header X-Tenant $host;
${Array.from({ length: 6 }, (_, i) => `location /section-${i}/ { return 200 "section ${i}"; }`).join('\n')}
location ~ "^/api/v([0-9]+)/users/([^/]+)$" {
  ${Array.from({ length: 5 }, (_, i) => `if ($http_x_variant ~ "^v${i}") { return 200 "variant ${i}"; }`).join('\n')}
  ${Array.from({ length: 4 }, (_, i) => `if ($arg_mode = "m${i}") { return 200 "mode ${i}"; }`).join('\n')}
  if ($request_method !~ "^(GET|POST)$") { return 405; }
  return 200 "$host $request_uri $2";
}`;
