/** Redirects from HTTP to HTTPS. Servers on the HTTP port send these redirects in addition to serving their own routes. */
import type { NameSet, WantedCertificates } from '@sluice/contracts';
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';

export interface RedirectTarget {
  readonly hosts: NameSet;
  /** Hosts for which the target manages certificates. */
  readonly certificates: WantedCertificates;
  readonly port: number;
}

/** Targets of redirects. If several targets contain a name, the first of them applies. */
export interface RedirectTable {
  readonly targets: readonly RedirectTarget[];
  /** HTTPS port for hosts without a target. Redirect URLs omit this port. */
  readonly defaultPort: number;
  /** Reports whether the configuration loads a certificate that covers a name. */
  readonly isLoaded: (name: string) => boolean;
  /** Reports whether the configuration being tested loads a certificate that covers a name. */
  readonly willBeLoaded: (name: string) => boolean;
}

export class Redirects {
  readonly #table: RedirectTable;
  /** True if the server exists only to send redirects. */
  readonly #alone: boolean;

  constructor(table: RedirectTable, alone: boolean) {
    this.#table = table;
    this.#alone = alone;
  }

  /** Returns the redirects for testing a configuration that is not active yet. */
  proposed(): Redirects {
    return new Redirects({ ...this.#table, isLoaded: this.#table.willBeLoaded }, this.#alone);
  }

  /**
   * Reports whether the redirect for a host precedes catch-all routes. This is the case if the host has a managed certificate. For other
   * hosts, catch-all routes run first, as in Caddy.
   */
  comesFirst(exchange: Exchange): boolean {
    return exchange.connection.tls === null && this.#find(hostOf(exchange.host).toLowerCase(), false) !== null;
  }

  /** Responds to an HTTP request with a redirect to HTTPS. */
  respond(exchange: Exchange): void {
    const host = hostOf(exchange.host);
    const { defaultPort } = this.#table;
    const port = this.#find(host.toLowerCase(), this.#alone)?.port ?? defaultPort;
    const { response } = exchange;
    const authority = host.includes(':') ? `[${host}]` : host;
    response.headers.set('location', `https://${authority}${port === defaultPort ? '' : `:${port}`}${exchange.uri}`);
    response.headers.set('connection', 'close');
    response.writeHead(308);
  }

  /**
   * Finds the redirect target for a host, by name or wildcard. If `any` is true, also considers targets that don't manage a certificate for
   * the host.
   */
  #find(host: string, any: boolean): RedirectTarget | null {
    let found = this.#withName(host, any);
    const labels = host.split('.');
    for (let i = 0; found === null && i < labels.length; i++) {
      labels[i] = '*';
      found = this.#withName(labels.join('.'), any);
    }
    return found;
  }

  #withName(name: string, any: boolean): RedirectTarget | null {
    const { targets, isLoaded } = this.#table;
    for (const target of targets) {
      const { names, ignoreLoaded } = target.certificates;
      if (any ? target.hosts.has(name) : names.has(name) && (ignoreLoaded || !isLoaded(name))) return target;
    }
    return null;
  }
}
