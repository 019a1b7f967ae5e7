/** Creates sites: validates the user's input, and inserts each new route before the first route that matches all hosts. */
import { insertAt, isList, isObject, own, setAt, valueAt, type Json } from './json.ts';
import { serverForSite, siteServersOf } from './site-url.ts';

/** Input of the form for new sites. */
export interface NewSite {
  readonly kind: string;
  /** Host names, separated by spaces or commas. Empty for all hosts. */
  readonly host: string;
  /** Target of the site. Depending on the kind of site, this is a list of upstreams, a directory, or a redirect target. */
  readonly to: string;
  /** Address of the authentication server, for sites with `forward_auth`. */
  readonly by: string;
  /** Key of the HTTP server. Empty for the default server. */
  readonly server: string;
}

export const kinds: Readonly<
  Record<string, { readonly title: string; readonly to: string; readonly hint: string; readonly example: string }>
> = {
  proxy: {
    title: 'Proxy',
    to: 'Upstreams',
    hint: 'Addresses as host:port, separated by spaces.',
    example: 'localhost:3000',
  },
  files: { title: 'Files', to: 'Directory', hint: 'Path on the server.', example: '/srv/www' },
  redirect: {
    title: 'Redirect',
    to: 'Target URL',
    hint: 'The path and query of the request are appended.',
    example: 'https://example.com',
  },
  guarded: {
    title: 'Proxy with forward authentication',
    to: 'Upstreams',
    hint: 'Addresses as host:port, separated by spaces.',
    example: 'localhost:3000',
  },
};

/** Parses the host names in the form. */
export function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== '');
}

/** Returns the problem with the entered host names, or `null` if they are valid. */
export function hostProblem(text: string): string | null {
  for (const host of hostsOf(text)) {
    if (/^\{[^{}]+\}$/.test(host)) continue;
    if (host.includes('://')) return `${host} is a URL. Enter only the host name.`;
    if (host.includes('/')) return `${host} contains a path. Enter only the host name.`;
    if (/^[^:]+:\d*$/.test(host)) return `${host} contains a port. The site uses the server's port.`;
    if (!isHost(host)) return `${host} is not a valid host name.`;
  }
  return null;
}

/** Returns the problem with the entered target, or `null` if it is valid. */
export function targetProblem(kind: string, text: string): string | null {
  if (text.trim() === '') return null;
  if (kind === 'files') return null;
  if (kind === 'redirect')
    return /^https?:\/\/[^\s/]+/.test(text.trim()) ? null : 'Enter an absolute URL, such as https://example.com.';
  return addressesProblem(text);
}

/** Returns the problem with the entered upstream addresses, or `null` if they are valid. */
export function addressesProblem(text: string): string | null {
  for (const address of hostsOf(text)) {
    if (address.startsWith('unix/') || address.includes('{')) continue;
    if (address.includes('://')) return `${address} is a URL. Enter the address as host:port.`;
    const port = Number(/^.+:(\d+)$/.exec(address)?.[1] ?? Number.NaN);
    if (Number.isNaN(port)) return `${address} has no port. Enter the address as host:port.`;
    if (port < 1 || port > 65_535) return `${port} is not a valid port.`;
  }
  return null;
}

/** Returns the index of an existing route that already handles requests for one of the hosts, or `null` if there is none. */
export function earlierRoute(document: Json | undefined, { server, host }: NewSite): number | null {
  const routes = valueAt(document, ['apps', 'http', 'servers', server || serverForSite(document).key, 'routes']);
  const hosts = new Set(hostsOf(host).map((each) => each.toLowerCase()));
  const index = (isList(routes) ? routes : []).findIndex((route) => {
    const sets = own(route, 'match');
    return (
      isList(sets) &&
      sets.some((set) => {
        const names = own(set, 'host');
        return isObject(set) && Object.keys(set).length === 1 && isList(names)
          ? names.some((name) => hosts.has(String(name).toLowerCase()))
          : false;
      })
    );
  });
  return index === -1 ? null : index;
}

export function routeOf({ kind, host, to, by }: NewSite): Json {
  const hosts = hostsOf(host).map(asciiOf);
  return {
    ...(hosts.length === 0 ? {} : { match: [{ host: hosts }] }),
    handle: handlersOf(kind, to, by),
    terminal: true,
  };
}

export function withSite(document: Json | undefined, site: NewSite): Json {
  const preferred = serverForSite(document);
  const key = site.server || preferred.key;
  const path = ['apps', 'http', 'servers', key];
  const isNew = siteServersOf(document).every((server) => server.key !== key);
  const start = isNew ? setAt(document, path, { listen: preferred.listen, routes: [] }) : (document ?? {});
  const routes = valueAt(start, [...path, 'routes']);
  const list = isList(routes) ? routes : [];
  const open = list.findIndex((route) => !isObject(route) || own(route, 'match') === undefined);
  return insertAt(start, [...path, 'routes', open === -1 ? list.length : open], routeOf(site));
}

function isHost(host: string): boolean {
  const name = host.replace(/^(?:\*\.)+/, '');
  if (/^\[?[\da-f:]+\]?$/i.test(name) && name.includes(':')) return true;
  const labels = asciiOf(name).replace(/\.$/, '').split('.');
  return labels.join('.').length <= 253 && labels.every((label) => /^(?!-)[a-z\d_-]{1,63}(?<!-)$/i.test(label));
}

/** Converts an internationalized host name to the ASCII form that clients send. */
function asciiOf(host: string): string {
  const prefix = /^(?:\*\.)*/.exec(host)?.[0] ?? '';
  const name = host.slice(prefix.length);
  if (/^[\x21-\x7e]*$/.test(name)) return host;
  try {
    return prefix + new URL(`http://${name}`).hostname;
  } catch {
    return host;
  }
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
  const proxy: Json = { handler: 'reverse_proxy', upstreams: hostsOf(to).map((dial) => ({ dial })) };
  return kind === 'guarded' ? [authentication(by), proxy] : [proxy];
}

/**
 * Returns a handler that first sends the request to the authentication server. If the response has status 2xx, later handlers run.
 * Otherwise, the client receives that response.
 */
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
