/** Redirects from HTTP to HTTPS: what servers on the HTTP port serve beside their own routes. */
import type { NameSet, WantedCertificates } from '@sluice/contracts';
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** A server of HTTPS, and its names. */
export interface RedirectTarget {
  readonly hosts: NameSet;
  /** Those of them whose certificates are managed. */
  readonly certificates: WantedCertificates;
  readonly port: number;
}

/** What redirects are made of. The first target with a name has it. */
export interface RedirectTable {
  readonly targets: readonly RedirectTarget[];
  /** The HTTPS port: where requests for other hosts go, and the port that needs no mention. */
  readonly usualPort: number;
  /** Whether a loaded certificate is for a name. */
  readonly isLoaded: (name: string) => boolean;
  /** The same once the configuration that is being tried out is in force. */
  readonly willBeLoaded: (name: string) => boolean;
}

/** Redirects of one server. */
export class Redirects {
  readonly #table: RedirectTable;
  /** The server has no routes of its own, and knows all targets. */
  readonly #alone: boolean;

  constructor(table: RedirectTable, alone: boolean) {
    this.#table = table;
    this.#alone = alone;
  }

  /** The same redirects while their configuration is tried out. */
  proposed(): Redirects {
    return new Redirects({ ...this.#table, isLoaded: this.#table.willBeLoaded }, this.#alone);
  }

  /**
   * Whether a request is redirected in front of the routes that are for any host: its host is one whose certificate is
   * managed. For other hosts those routes come first, as in the reference.
   */
  comesFirst(exchange: Exchange): boolean {
    return exchange.connection.tls === null && this.#find(hostOf(exchange.host).toLowerCase(), false) !== null;
  }

  /** Responds to a request over HTTP. */
  respond(exchange: Exchange): void {
    const host = hostOf(exchange.host);
    const { usualPort } = this.#table;
    const port = this.#find(host.toLowerCase(), this.#alone)?.port ?? usualPort;
    const { response } = exchange;
    const authority = host.includes(':') ? `[${host}]` : host;
    response.headers.set('location', `https://${authority}${port === usualPort ? '' : `:${port}`}${exchange.uri}`);
    response.headers.set('connection', 'close');
    response.writeHead(308);
  }

  /** The target of a host, by its name or a wildcard; with `any` also one that manages no certificate for it. */
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
