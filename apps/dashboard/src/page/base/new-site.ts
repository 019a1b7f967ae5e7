/** What the wizard adds: a route of a host, put before the first route that takes all hosts. */
import { insertAt, isList, isObject, own, setAt, valueAt, type Json } from './json.ts';

/** What is asked for. */
export interface NewSite {
  readonly kind: string;
  readonly host: string;
  /** Upstreams, a folder, or where to redirect to; by the kind. */
  readonly to: string;
  /** Where the authenticating server is, for forward authentication. */
  readonly by: string;
  /** Key of a server; empty for the first that listens on port 443, or a new one. */
  readonly server: string;
}

/** The kinds, with what is asked for. */
export const kinds: Readonly<
  Record<string, { readonly title: string; readonly to: string; readonly example: string }>
> = {
  proxy: { title: 'Proxy', to: 'Upstreams, separated by spaces', example: 'localhost:3000' },
  files: { title: 'Files', to: 'Folder', example: '/srv/www' },
  redirect: { title: 'Redirect', to: 'To', example: 'https://example.com' },
  guarded: {
    title: 'Proxy with forward authentication',
    to: 'Upstreams, separated by spaces',
    example: 'localhost:3000',
  },
};

/** The route. */
export function routeOf({ kind, host, to, by }: NewSite): Json {
  return {
    ...(host === '' ? {} : { match: [{ host: host.split(/[\s,]+/).filter((each) => each !== '') }] }),
    handle: handlersOf(kind, to, by),
    terminal: true,
  };
}

/** The document with the site. */
export function withSite(document: Json | undefined, site: NewSite): Json {
  const servers = valueAt(document, ['apps', 'http', 'servers']);
  const known = isObject(servers) ? Object.entries(servers) : [];
  const secure = known.find(([, each]) => JSON.stringify(own(each, 'listen') ?? '').includes(':443'))?.[0];
  const key = site.server || secure || known[0]?.[0] || 'main';
  const path = ['apps', 'http', 'servers', key];
  const start =
    valueAt(document, path) === undefined ? setAt(document, path, { listen: [':443'], routes: [] }) : (document ?? {});
  const routes = valueAt(start, [...path, 'routes']);
  const list = isList(routes) ? routes : [];
  const open = list.findIndex((route) => !isObject(route) || own(route, 'match') === undefined);
  return insertAt(start, [...path, 'routes', open === -1 ? list.length : open], routeOf(site));
}

function handlersOf(kind: string, to: string, by: string): readonly Json[] {
  if (kind === 'files')
    return [
      { handler: 'encode', encodings: { zstd: {}, gzip: {} } },
      { handler: 'file_server', root: to },
    ];
  if (kind === 'redirect')
    return [
      {
        handler: 'static_response',
        status_code: 308,
        headers: { Location: [`${to.replace(/\/$/, '')}{http.request.uri}`] },
      },
    ];
  const proxy: Json = {
    handler: 'reverse_proxy',
    upstreams: to
      .split(/[\s,]+/)
      .filter((each) => each !== '')
      .map((dial) => ({ dial })),
  };
  return kind === 'guarded' ? [authentication(by), proxy] : [proxy];
}

/** Asks another server first; a success of it lets the request go on, and another response is the response. */
function authentication(by: string): Json {
  return {
    handler: 'reverse_proxy',
    upstreams: [{ dial: by }],
    rewrite: { method: 'GET' },
    headers: {
      request: { set: { 'X-Forwarded-Method': ['{http.request.method}'], 'X-Forwarded-Uri': ['{http.request.uri}'] } },
    },
    handle_response: [
      {
        match: { status_code: [2] },
        routes: [
          {
            handle: [
              { handler: 'headers', request: { set: { 'Remote-User': ['{http.reverse_proxy.header.Remote-User}'] } } },
            ],
          },
        ],
      },
    ],
  };
}
