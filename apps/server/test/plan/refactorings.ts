/** Edits to the configuration of `site.ts` that do not change its behavior. */
import type { Replacement } from './faults.ts';

interface TextRefactoring {
  readonly title: string;
  readonly edit: readonly Replacement[];
}

const text = (title: string, ...edit: Replacement[]): TextRefactoring => ({ title, edit });

/** Edits to the Caddyfile. */
export const textRefactorings: readonly TextRefactoring[] = [
  text('access logs', ['\tencode zstd gzip\n', '\tlog\n\tencode zstd gzip\n']),
  text('a log with another output', ['\tauto_https', '\tlog {\n\t\toutput stderr\n\t}\n\tauto_https']),
  text('a grace period', ['\tauto_https', '\tgrace_period 5s\n\tauto_https']),
  text('metrics', ['\tservers {', '\tmetrics\n\tservers {']),
  text('connection timeouts', ['\tservers {', '\tservers {\n\t\ttimeouts {\n\t\t\tidle 3m\n\t\t}']),
  text('a comment', ['\nshop.test {', '\n# the shop\nshop.test {']),
  text('hosts in another order', ['docs.test, docs.example {', 'docs.example, docs.test {']),
  text('methods in another order', ['method POST PUT DELETE', 'method DELETE PUT POST']),
  text('a redirect status as a number', ['redir https://shop.test{uri} permanent', 'redir https://shop.test{uri} 301']),
  text('a redirect status as a word', ['/offers/summer 302', '/offers/summer temporary']),
  text('header fields in a block', [
    'header Strict-Transport-Security "max-age=31536000; includeSubDomains"',
    'header {\n\t\tStrict-Transport-Security "max-age=31536000; includeSubDomains"\n\t}',
  ]),
  text('a matcher with another name', ['@old path', '@former path'], ['redir @old', 'redir @former']),
  text('a named matcher instead of a path', [
    'header /account/* Cache-Control',
    '@account path /account/*\n\theader @account Cache-Control',
  ]),
  text('a network split into two halves', ['not client_ip 10.1.0.0/16', 'not client_ip 10.1.0.0/17 10.1.128.0/17']),
  text('trusted proxies split into two halves', [
    'trusted_proxies static 10.0.0.0/8',
    'trusted_proxies static 10.0.0.0/9 10.128.0.0/9',
  ]),
  text('an equivalent regular expression', ['^/v([0-9]+)/', '^/v(\\d+)/']),
  text(
    'a regular expression with another name',
    ['path_regexp version', 'path_regexp v'],
    ['{re.version.1}', '{re.v.1}'],
  ),
  text('a variable with another name', ['vars tenant', 'vars name'], ['{vars.tenant}', '{vars.name}']),
  text('a named route with another name', ['&(upload)', '&(uploads)'], ['invoke upload', 'invoke uploads']),
  text('an inlined named route', [
    'invoke upload',
    'request_body {\n\t\t\tmax_size 10MB\n\t\t}\n\t\treverse_proxy 10.0.1.9:8080',
  ]),
  text('an inlined snippet', [
    'import tls_upstream',
    'transport http {\n\t\t\t\ttls\n\t\t\t\ttls_server_name api.internal\n\t\t\t}',
  ]),
  text('a duration in seconds', ['window 1m', 'window 60s']),
  text('a size in kilobytes', ['max_size 1MB', 'max_size 1000KB']),
  text('file types in another order', ['path *.js *.css', 'path *.css *.js']),
  text('handle and strip_prefix instead of handle_path', [
    'handle_path /api/* {',
    'handle /api/* {\n\t\turi strip_prefix /api',
  ]),
  text('a path matcher with a redundant path', ['@old path /old /old/*', '@old path /old /old/* /old/page']),
  text('an unused variable', ['\tvars tenant', '\tvars unused 1\n\tvars tenant']),
  text(
    'a named route for the upstream of the catalog',
    ['&(upload) {', '&(catalog) {\n\treverse_proxy 10.0.1.5:8080\n}\n\n&(upload) {'],
    ['reverse_proxy 10.0.1.5:8080\n\t}', 'invoke catalog\n\t}'],
  ),
  text(
    'a site for each host',
    ['docs.test, docs.example {', '(docs) {'],
    [
      '\nhttp://status.test {',
      '\ndocs.test {\n\timport docs\n}\n\ndocs.example {\n\timport docs\n}\n\nhttp://status.test {',
    ],
  ),
  text(
    'a snippet for headers',
    ['\nshop.test {', '\n(nostore) {\n\tCache-Control no-store\n}\n\nshop.test {'],
    ['header /account/* Cache-Control no-store', 'header /account/* {\n\t\timport nostore\n\t}'],
  ),
  text('an expression instead of a query matcher', ['@empty query q=\n', '@empty expression `query({"q": ""})`\n']),
];

type Part = Record<string, unknown>;

interface RouteDocument extends Part {
  match?: Part[];
  handle?: Part[];
  terminal?: boolean;
  group?: string;
}

interface ServerDocument extends Part {
  routes: RouteDocument[];
  listen: string[];
  named_routes?: Record<string, RouteDocument>;
}

export interface HttpDocument extends Part {
  servers: Record<string, ServerDocument>;
}

const serversOf = ({ servers }: HttpDocument): ServerDocument[] => Object.values(servers);

/** Calls a function for each list of routes, outermost first. */
function eachList(value: unknown, look: (routes: RouteDocument[]) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const each of value) eachList(each, look);
  else
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'routes' && Array.isArray(inner)) look(inner as RouteDocument[]);
      eachList(inner, look);
    }
}

const eachRoute = (http: HttpDocument, look: (route: RouteDocument, index: number) => void): void =>
  eachList(http, (routes) => routes.forEach(look));

const eachTopRoute = (http: HttpDocument, look: (route: RouteDocument) => void): void => {
  for (const { routes } of serversOf(http)) routes.forEach(look);
};

const eachHandler = (http: HttpDocument, look: (handler: Part) => void): void => {
  eachRoute(http, ({ handle = [] }) => handle.forEach(look));
};

/** Edits to the adapted JSON document. */
export const documentRefactorings: Readonly<Record<string, (http: HttpDocument) => void>> = {
  'servers with other names': (http) => {
    http.servers = Object.fromEntries(Object.entries(http.servers).map(([name, server]) => [`web_${name}`, server]));
  },
  'servers in another order': (http) => {
    http.servers = Object.fromEntries(Object.entries(http.servers).toReversed());
  },
  'an @id for each route': (http) => {
    let last = 0;
    eachRoute(http, (route) => (route['@id'] = `route ${last++}`));
  },
  'an @id for each handler': (http) => {
    let last = 0;
    eachHandler(http, (handler) => (handler['@id'] = `handler ${last++}`));
  },
  'groups with other names': (http) =>
    eachRoute(http, (route) => {
      if (route.group !== undefined) route.group = `g-${route.group}`;
    }),
  'sites in another order': (http) => {
    for (const server of serversOf(http)) server.routes.reverse();
  },
  'an additional subroute around each site': (http) =>
    eachTopRoute(http, (route) => {
      route.handle = [{ handler: 'subroute', routes: [{ handle: route.handle }] }];
    }),
  'each site with its matcher in a subroute': (http) =>
    eachTopRoute(http, (route) => {
      route.handle = [{ handler: 'subroute', routes: [{ match: route.match, handle: route.handle }] }];
    }),
  'hosts in capital letters': (http) =>
    eachTopRoute(http, ({ match = [] }) => {
      for (const set of match)
        if (Array.isArray(set['host'])) set['host'] = set['host'].map((each) => String(each).toUpperCase());
    }),
  'a duplicate matcher set': (http) => eachTopRoute(http, ({ match }) => void match?.push({ ...match[0] })),
  'a route without matchers and handlers': (http) => {
    for (const { routes } of serversOf(http)) routes.unshift({ handle: [] });
  },
  'an unreachable route': (http) => {
    for (const { routes } of serversOf(http))
      routes.push({ match: [{ host: ['shop.test'], path: ['/x'] }], handle: [{ handler: 'vars', seen: '1' }] });
  },
  'a duplicate route after a terminal route': (http) => {
    for (const { routes } of serversOf(http)) routes.push(structuredClone(routes[0] as RouteDocument));
  },
  'an unread variable on each route': (http) =>
    eachTopRoute(http, ({ handle }) => void handle?.unshift({ handler: 'vars', unread: '1' })),
  'a header handler without operations': (http) =>
    eachTopRoute(http, ({ handle }) => void handle?.unshift({ handler: 'headers' })),
  'an empty subroute': (http) =>
    eachTopRoute(http, ({ handle }) => void handle?.unshift({ handler: 'subroute', routes: [] })),
  'a server without routes on another port': (http) => {
    http.servers['idle'] = { listen: ['127.0.0.1:0'], routes: [] };
  },
  'a header size limit': (http) => {
    for (const server of serversOf(http)) server['max_header_bytes'] = 1_048_576;
  },
  'server access logs': (http) => {
    for (const server of serversOf(http)) server['logs'] = {};
  },
  'fewer samples': (http) => (http['samples'] = { max_requests: 4000 }),
  'a grace period': (http) => (http['grace_period'] = '10s'),
  'a shutdown delay': (http) => (http['shutdown_delay'] = '1s'),
  'a read timeout': (http) => {
    for (const server of serversOf(http)) server['read_header_timeout'] = '30s';
  },
  'a write timeout': (http) => {
    for (const server of serversOf(http)) server['write_timeout'] = '90s';
  },
  'an unused named route': (http) => {
    for (const server of serversOf(http)) (server.named_routes ??= {})['unused'] = { handle: [] };
  },
  'sites as named routes': (http) => {
    for (const server of serversOf(http))
      server.routes.forEach((route, i) => {
        (server.named_routes ??= {})[`site ${i}`] = { handle: route.handle ?? [] };
        route.handle = [{ handler: 'invoke', name: `site ${i}` }];
      });
  },
  'routes for each matcher set': (http) => {
    for (const server of serversOf(http))
      server.routes = server.routes.flatMap((route) => {
        const hosts = (route.match?.[0]?.['host'] ?? []) as string[];
        return hosts.length < 2
          ? [route]
          : hosts.map((host) => ({ ...structuredClone(route), match: [{ host: [host] }] }));
      });
  },
  'matcher sets instead of values': (http) =>
    eachTopRoute(http, (route) => {
      const hosts = (route.match?.[0]?.['host'] ?? []) as string[];
      if (hosts.length > 1) route.match = hosts.map((host) => ({ host: [host] }));
    }),
  'a header matcher that all requests satisfy': (http) =>
    eachTopRoute(http, ({ match = [] }) => {
      for (const set of match) set['not'] = [{ host: ['never.invalid'] }];
    }),
  'redundant paths': (http) =>
    eachRoute(http, ({ match = [] }) => {
      for (const set of match)
        if (Array.isArray(set['path'])) set['path'] = [...(set['path'] as string[]), ...(set['path'] as string[])];
    }),
};
