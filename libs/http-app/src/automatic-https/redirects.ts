/** Redirects from HTTP to HTTPS: what servers on the HTTP port answer where none of their routes did. */
import type { NameSet } from '@sluice/registry';
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** A server of HTTPS, and its names. */
export interface RedirectTarget {
  readonly hosts: NameSet;
  readonly port: number;
}

/** Where requests for names go. */
export class Redirects {
  readonly #targets: readonly RedirectTarget[];
  readonly #usualPort: number;

  /** The first target with a name has it. */
  constructor(targets: readonly RedirectTarget[], usualPort: number) {
    this.#targets = targets;
    this.#usualPort = usualPort;
  }

  /** Answers a request over HTTP; one for a name that no server has goes to the HTTPS port. */
  answer(exchange: Exchange): void {
    const host = hostOf(exchange.host);
    const port = this.#portOf(host.toLowerCase());
    const { response } = exchange;
    const authority = host.includes(':') ? `[${host}]` : host;
    response.headers.set(
      'location',
      `https://${authority}${port === this.#usualPort ? '' : `:${port}`}${exchange.uri}`,
    );
    response.headers.set('connection', 'close');
    response.writeHead(308);
  }

  #portOf(host: string): number {
    let port = this.#portOfName(host);
    const labels = host.split('.');
    for (let i = 0; port === null && i < labels.length; i++) {
      labels[i] = '*';
      port = this.#portOfName(labels.join('.'));
    }
    return port ?? this.#usualPort;
  }

  #portOfName(name: string): number | null {
    for (const { hosts, port } of this.#targets) if (hosts.has(name)) return port;
    return null;
  }
}
