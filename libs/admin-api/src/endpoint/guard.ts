/**
 * Who may talk to the admin endpoint: a web page that a browser has open must not, nor one that lets a name of its own
 * point here (DNS rebinding). Checked for every path, before anything else.
 */
import { canonicalHost, isUnixNetwork, joinHostPort, type NetworkAddress } from '@sluice/base';
import type { Access } from '../access/access.ts';
import { isLoopback, isWildcard } from './address.ts';

/** The settings of the admin section that say who may. */
export interface GuardSettings {
  /** Check the origin of every request, not only of those that say they come from a browser. */
  readonly enforceOrigin: boolean;
  /** Allowed origins, `[scheme://]host[:port]`; `null` for the endpoint's own. */
  readonly origins: readonly string[] | null;
  /** Whether requests may name any host; for an endpoint whose clients prove who they are. */
  readonly anyHost: boolean;
  /** Whether the dashboard is served. */
  readonly ui: boolean;
  /** Clients whose text may have files and environment variables read. */
  readonly externalReads: ExternalReads;
  /** Who may, of those whose requests come from where they may. */
  readonly access: Access;
}

/**
 * Clients for whom files and environment variables are read where a text of theirs asks for it: those with all rights, as
 * they can read everything anyway; all; or none.
 */
export type ExternalReads = 'unrestricted' | 'all' | 'none';

/** What of a request the guard looks at. `undefined` where there is no such header. */
export interface GuardedRequest {
  readonly host: string;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly fetchMode: string | undefined;
  /** What a browser says of the page that asks: `same-origin` for one of this endpoint. */
  readonly fetchSite?: string | undefined;
  /** Whether it asks for a file of the dashboard: pages elsewhere may link to it, and can read nothing of it. */
  readonly isPage?: boolean;
}

/** What the guard says: a refusal, or the origin that the response has to allow, if any. */
export type Verdict =
  | { readonly status: 400 | 403; readonly message: string }
  | { readonly status: 0; readonly allowOrigin: string | null };

interface Origin {
  /** Lower case, without colon; empty where any will do. */
  readonly scheme: string;
  readonly host: string;
}

/** The checks of one endpoint. */
export class Guard {
  readonly access: Access;
  /** Whether the dashboard is served. */
  readonly ui: boolean;
  readonly externalReads: ExternalReads;
  readonly #anyHost: boolean;
  readonly #enforceOrigin: boolean;
  readonly #origins: readonly Origin[];
  /** Allowed values of `Host`, or `null` where any will do. */
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

  /** Decides about a request. */
  check(request: GuardedRequest): Verdict {
    const refusal = this.#refusal(request);
    if (refusal !== null) return refusal;
    return this.#needsNoOrigin(request) ? { status: 0, allowOrigin: null } : this.#checkOrigin(request);
  }

  /** Refuses what no origin makes good. */
  #refusal({ host, origin, fetchMode, isPage = false }: GuardedRequest): Verdict | null {
    if (fetchMode === 'no-cors' && !isPage)
      return { status: 400, message: 'requests of mode "no-cors" can\'t be served: their responses can\'t be read' };
    if (origin === 'null')
      return { status: 400, message: 'a request from the origin "null" can\'t be told from an attack' };
    if (this.#hosts === null || this.#hosts.has(host.toLowerCase())) return null;
    const hosts = [...this.#hosts].join(', ') || 'none';
    return { status: 403, message: `host not allowed: ${host}; the endpoint responds to ${hosts} (admin.origins)` };
  }

  /**
   * Files of the dashboard need no origin, nor do clients that are not browsers. A browser sends none with what a page reads from where it
   * came from itself, and no page can say so in its place.
   */
  #needsNoOrigin({ host, origin, fetchMode, fetchSite, isPage = false }: GuardedRequest): boolean {
    if (isPage || origin !== undefined) return isPage;
    return (fetchSite === 'same-origin' && this.#isOwn(host)) || (!this.#enforceOrigin && fetchMode === undefined);
  }

  #checkOrigin({ host, origin, referer }: GuardedRequest): Verdict {
    const source = origin === undefined || origin === '' ? (referer ?? '') : origin;
    // A backslash would end a host for a browser, which never sends one.
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

  /** Whether pages of a host are of this endpoint: where any host will do, TLS has made sure of it. */
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

/** An endpoint on a loopback address is known by all its usual names, another one by its own. */
function ownOrigins(address: NetworkAddress, port: number): string[] {
  if (isUnixNetwork(address.network)) return [];
  // Clients write an address of IPv6 in its one short form, however the configuration does.
  const hosts = address.host.includes(':') ? [address.host, canonicalHost(address.host)] : [address.host];
  const own = hosts.map((host) => joinHostPort(host, port));
  if (!isLoopback(address)) return own;
  return [
    ...new Set([`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`, ...own.map((name) => name.toLowerCase())]),
  ];
}
