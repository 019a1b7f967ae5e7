/**
 * Protects the admin endpoint from web pages in a browser, including DNS rebinding attacks. The guard checks every request before any other
 * processing.
 */
import { canonicalHost, isUnixNetwork, joinHostPort, type NetworkAddress } from '@sluice/base';
import type { Access } from '../access/access.ts';
import { isLoopback, isWildcard } from './address.ts';

export interface GuardSettings {
  /** True to check the origin of every request. False to check only browser requests. */
  readonly enforceOrigin: boolean;
  /** Allowed origins in the form `[scheme://]host[:port]`. `null` allows only the origins of the endpoint's own address. */
  readonly origins: readonly string[] | null;
  /** True to allow any host name. Intended for endpoints that authenticate their clients. */
  readonly anyHost: boolean;
  /** True to serve the dashboard. */
  readonly ui: boolean;
  /** Clients that may send text with placeholders for files and environment variables. */
  readonly externalReads: ExternalReads;
  /** Authorizes requests whose origin is allowed. */
  readonly access: Access;
}

/**
 * Clients that may send text with placeholders for files and environment variables. `unrestricted` permits only clients with full
 * permissions, which can read everything anyway.
 */
export type ExternalReads = 'unrestricted' | 'all' | 'none';

/** Request properties that the guard checks. A property is `undefined` if its header is missing. */
export interface GuardedRequest {
  readonly host: string;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly fetchMode: string | undefined;
  /** Value of the `Sec-Fetch-Site` header. Browsers send `same-origin` if the page came from this endpoint. */
  readonly fetchSite?: string | undefined;
  /** True for dashboard files. Other sites may link to these files but cannot read them. */
  readonly isPage?: boolean;
}

/** Result of the guard: either a rejection or the origin that the response allows, if any. */
export type Verdict =
  | { readonly status: 400 | 403; readonly message: string }
  | { readonly status: 0; readonly allowOrigin: string | null };

interface Origin {
  /** URL scheme in lowercase, without the colon. Empty if any scheme is allowed. */
  readonly scheme: string;
  readonly host: string;
}

/** Checks the origin and host of requests to one endpoint. */
export class Guard {
  readonly access: Access;
  readonly ui: boolean;
  readonly externalReads: ExternalReads;
  readonly #anyHost: boolean;
  readonly #enforceOrigin: boolean;
  readonly #origins: readonly Origin[];
  /** Allowed values of the `Host` header. `null` allows any host. */
  readonly #hosts: ReadonlySet<string> | null;

  constructor(settings: GuardSettings, address: NetworkAddress, port: number) {
    this.access = settings.access;
    this.ui = settings.ui;
    this.externalReads = settings.externalReads;
    this.#anyHost = settings.anyHost;
    this.#enforceOrigin = settings.enforceOrigin;
    this.#origins = (settings.origins ?? ownOrigins(address, port)).map(allowedOrigin);
    const anyHost = settings.anyHost || isUnixNetwork(address.network) || isWildcard(address);
    this.#hosts = anyHost ? null : new Set(this.#origins.map((origin) => origin.host));
  }

  check(request: GuardedRequest): Verdict {
    const refusal = this.#refusal(request);
    if (refusal !== null) return refusal;
    return this.#needsNoOrigin(request) ? { status: 0, allowOrigin: null } : this.#checkOrigin(request);
  }

  /** Rejects requests that are unacceptable regardless of their `Origin` value. */
  #refusal({ host, origin, fetchMode, isPage = false }: GuardedRequest): Verdict | null {
    if (fetchMode === 'no-cors' && !isPage)
      return {
        status: 400,
        message: 'requests with Sec-Fetch-Mode "no-cors" are rejected, because pages cannot read their responses',
      };
    if (origin === 'null')
      return { status: 400, message: 'requests with the origin "null" are rejected, because any page can send them' };
    if (this.#hosts === null || this.#hosts.has(host.toLowerCase())) return null;
    const hosts = [...this.#hosts].join(', ') || 'none';
    return { status: 403, message: `host not allowed: ${host}; the endpoint accepts ${hosts} (admin.origins)` };
  }

  /**
   * Reports whether a request is allowed without an `Origin` header. Requests for dashboard files and requests from clients other than
   * browsers are allowed. Browsers also omit `Origin` when a page reads from its own origin, so such requests are allowed too.
   */
  #needsNoOrigin({ host, origin, fetchMode, fetchSite, isPage = false }: GuardedRequest): boolean {
    if (isPage || origin !== undefined) return isPage;
    return (fetchSite === 'same-origin' && this.#isOwn(host)) || (!this.#enforceOrigin && fetchMode === undefined);
  }

  #checkOrigin({ host, origin, referer }: GuardedRequest): Verdict {
    const source = origin === undefined || origin === '' ? (referer ?? '') : origin;
    // Browsers treat a backslash as the end of the host and never send one in an origin.
    const parts = /^(?:([a-z][a-z0-9+.-]*):)?\/\/([^/?#\\]*)(?=[/?#]|$)/i.exec(source);
    const authority = parts?.[2] ?? '';
    const from: Origin = {
      scheme: (parts?.[1] ?? '').toLowerCase(),
      host: authority.slice(authority.lastIndexOf('@') + 1).toLowerCase(),
    };
    const isSame = this.#anyHost && from.host === host.toLowerCase();
    if (parts === null || !(isSame || this.#origins.some((allowed) => isAllowed(from, allowed))))
      return { status: 403, message: `client is not allowed to access from origin '${source}' (admin.origins)` };
    return { status: 0, allowOrigin: `${from.scheme === '' ? '' : `${from.scheme}:`}//${authority}` };
  }

  /** Reports whether pages from a host belong to this endpoint. If any host is allowed, TLS has already verified the host name. */
  #isOwn(host: string): boolean {
    return this.#anyHost || this.#origins.some((allowed) => allowed.host === host.toLowerCase());
  }
}

function isAllowed(origin: Origin, allowed: Origin): boolean {
  return origin.host === allowed.host && (allowed.scheme === '' || origin.scheme === allowed.scheme);
}

function allowedOrigin(text: string): Origin {
  const [, scheme = '', host = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)/i.exec(text) ?? [];
  return { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
}

/**
 * Returns the origins of the endpoint's own address. A loopback endpoint has the origins of all common loopback names. Other endpoints have
 * only the origin of their address.
 */
function ownOrigins(address: NetworkAddress, port: number): string[] {
  if (isUnixNetwork(address.network)) return [];
  // Clients send the short form of an IPv6 address, regardless of the configured form.
  const hosts = address.host.includes(':') ? [address.host, canonicalHost(address.host)] : [address.host];
  const own = hosts.map((host) => joinHostPort(host, port));
  if (!isLoopback(address)) return own;
  return [
    ...new Set([`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`, ...own.map((name) => name.toLowerCase())]),
  ];
}
