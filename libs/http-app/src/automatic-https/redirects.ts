/** Redirects from HTTP to HTTPS: what servers on the HTTP port answer where none of their routes did. */
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** Where requests for names go. */
export class Redirects {
  /** Host, exact or with wildcards -> port of its HTTPS server. */
  readonly #ports: ReadonlyMap<string, number>;
  readonly #usualPort: number;

  constructor(ports: ReadonlyMap<string, number>, usualPort: number) {
    this.#ports = ports;
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
    const exact = this.#ports.get(host);
    if (exact !== undefined) return exact;
    const labels = host.split('.');
    for (let i = 0; i < labels.length; i++) {
      labels[i] = '*';
      const port = this.#ports.get(labels.join('.'));
      if (port !== undefined) return port;
    }
    return this.#usualPort;
  }
}
