/**
 * Protects the admin endpoint from web pages in a browser, including pages whose host name resolves to this machine
 * (DNS rebinding). Every request is checked before anything else.
 */
import { canonicalHost, isUnixNetwork, joinHostPort, type NetworkAddress } from '@sluice/base';
import type { Access } from '../access/access.ts';
import { isLoopback, isWildcard } from './address.ts';

/** Guard settings of the admin section. */
export interface GuardSettings {
  /** True to check the origin of every request, not only of browser requests. */
  readonly enforceOrigin: boolean;
  /** Allowed origins, `[scheme://]host[:port]`; `null` means those of the endpoint's address. */
  readonly origins: readonly string[] | null;
  /** True to allow any host name. For endpoints with authenticated clients. */
  readonly anyHost: boolean;
  /** True to serve the dashboard. */
  readonly ui: boolean;
  /** Clients whose text may contain placeholders for files and environment variables. */
  readonly externalReads: ExternalReads;
  /** Authorization of requests with an allowed origin. */
  readonly access: Access;
}

/**
 * Clients whose text may contain placeholders for files and environment variables: clients with full permissions, who
 * can read everything anyway; all clients; or none.
 */
export type ExternalReads = 'unrestricted' | 'all' | 'none';

/** Request properties that the guard checks. `undefined` if a header is missing. */
export interface GuardedRequest {
  readonly host: string;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly fetchMode: string | undefined;
  /** The browser's `Sec-Fetch-Site`: `same-origin` for a page of this endpoint. */
  readonly fetchSite?: string | undefined;
  /** True for a dashboard file, which other sites may link to but can't read. */
  readonly isPage?: boolean;
}

/** Result of the guard: a rejection, or the origin to allow in the response, if any. */
export type Verdict =
  | { readonly status: 400 | 403; readonly message: string }
  | { readonly status: 0; readonly allowOrigin: string | null };

interface Origin {
  /** Lower case, without colon; empty for any. */
  readonly scheme: string;
  readonly host: string;
}

/** Checks of one endpoint. */
export class Guard {
  readonly access: Access;
  readonly ui: boolean;
  readonly externalReads: ExternalReads;
  readonly #anyHost: boolean;
  readonly #enforceOrigin: boolean;
  readonly #origins: readonly Origin[];
  /** Allowed values of `Host`, or `null` for any. */
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

  /** Rejects requests that are not allowed with any `Origin`. */
  #refusal({ host, origin, fetchMode, isPage = false }: GuardedRequest): Verdict | null {
    if (fetchMode === 'no-cors' && !isPage)
      return { status: 400, message: 'requests with mode "no-cors" are rejected: pages cannot read their responses' };
    if (origin === 'null')
      return { status: 400, message: 'requests with the origin "null" are rejected: they can come from any page' };
    if (this.#hosts === null || this.#hosts.has(host.toLowerCase())) return null;
    const hosts = [...this.#hosts].join(', ') || 'none';
    return { status: 403, message: `host not allowed: ${host}; the endpoint accepts ${hosts} (admin.origins)` };
  }

  /**
   * Reports whether a request needs no origin. This applies to dashboard files and clients other than browsers. A
   * browser omits `Origin` when a page reads from its own origin.
   */
  #needsNoOrigin({ host, origin, fetchMode, fetchSite, isPage = false }: GuardedRequest): boolean {
    if (isPage || origin !== undefined) return isPage;
    return (fetchSite === 'same-origin' && this.#isOwn(host)) || (!this.#enforceOrigin && fetchMode === undefined);
  }

  #checkOrigin({ host, origin, referer }: GuardedRequest): Verdict {
    const source = origin === undefined || origin === '' ? (referer ?? '') : origin;
    // Browsers treat a backslash as the end of a host and never send one.
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

  /** Reports whether pages of a host belong to this endpoint. If any host is allowed, TLS has verified it. */
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
 * Returns the endpoint's own origins. A loopback endpoint has all common loopback names; others have only their
 * address.
 */
function ownOrigins(address: NetworkAddress, port: number): string[] {
  if (isUnixNetwork(address.network)) return [];
  // Clients use the short form of an IPv6 address, whatever form is configured.
  const hosts = address.host.includes(':') ? [address.host, canonicalHost(address.host)] : [address.host];
  const own = hosts.map((host) => joinHostPort(host, port));
  if (!isLoopback(address)) return own;
  return [
    ...new Set([`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`, ...own.map((name) => name.toLowerCase())]),
  ];
}
