/** A request that the checks follow from server to server, and the values of its placeholders. */

/** A request that contains only known facts. Its headers, body, and client are unknown. */
export interface Visit {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Query string without the question mark. */
  readonly query: string;
  readonly method: string;
}

/** Returns a key for the request. Two requests have equal keys if the checks cannot distinguish them. */
export function keyOf({ scheme, host, port, path, query, method }: Visit): string {
  return `${method} ${scheme}://${host}:${port}${path}?${query}`;
}

const defaultPorts = { http: 80, https: 443 } as const;

/** Returns the request that a client sends for a `Location` header. Returns `null` if the value is not an HTTP URL. */
export function follow(from: Visit, location: string): Visit | null {
  try {
    const base = `${from.scheme}://${from.host}:${from.port}${from.path}`;
    const url = new URL(location, base);
    const scheme = url.protocol === 'http:' ? 'http' : url.protocol === 'https:' ? 'https' : null;
    if (scheme === null) return null;
    return {
      scheme,
      host: url.hostname.toLowerCase(),
      port: url.port === '' ? defaultPorts[scheme] : Number(url.port),
      path: url.pathname,
      query: url.search.slice(1),
      method: from.method,
    };
  } catch {
    return null;
  }
}

/** Replaces placeholders in a string. Returns `null` if a placeholder is unknown. `captures` contains the values from regular expressions. */
export function expand(
  text: string,
  visit: Visit,
  original: Visit,
  captures: ReadonlyMap<string, string>,
): string | null {
  let isKnown = true;
  const expanded = text.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = captures.get(name) ?? valueOf(name, visit, original);
    if (value === null) isKnown = false;
    return value ?? '';
  });
  return isKnown ? expanded : null;
}

function valueOf(name: string, visit: Visit, original: Visit): string | null {
  const [, orig, part = ''] = /^http\.request\.(orig_)?(.+)$/.exec(name) ?? [];
  const { path, query } = orig === undefined ? visit : original;
  switch (part) {
    case 'uri':
      return query === '' ? path : `${path}?${query}`;
    case 'uri.path':
      return path;
    case 'uri.query':
      return query;
    case 'uri.prefixed_query':
      return query === '' ? '' : `?${query}`;
    default:
      return orig === undefined ? valueOfHost(part, visit) : null;
  }
}

function valueOfHost(part: string, { scheme, host, port, method }: Visit): string | null {
  switch (part) {
    case 'host':
      return host;
    case 'hostport':
      return port === defaultPorts[scheme] ? host : `${host}:${port}`;
    case 'port':
      return String(port);
    case 'scheme':
      return scheme;
    case 'method':
      return method;
    default: {
      const [, label] = /^host\.labels\.(\d+)$/.exec(part) ?? [];
      return label === undefined ? null : (host.split('.').at(-1 - Number(label)) ?? null);
    }
  }
}
