/** HTTP handler that passes requests to the ACME server. */
import type { Exchange, HttpHandler, Next } from '@sluice/http-app';
import type { Respond } from './ask-server.ts';

/** Maximum size of an ACME message, in bytes. The largest message contains a CSR and is much smaller. */
const maxMessageSize = 128 * 1024;

export class AcmeHandler implements HttpHandler {
  readonly #prefix: string;
  readonly #authority: string;
  readonly #host: string | null;
  readonly #respond: Respond;

  /** `authority` is the path prefix including the CA ID, such as `/acme/local`. */
  constructor(authority: string, host: string | null, respond: Respond) {
    this.#prefix = authority.slice(0, authority.lastIndexOf('/') + 1);
    this.#authority = authority;
    this.#host = host;
    this.#respond = respond;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    return exchange.path.startsWith(this.#prefix) ? this.#serve(exchange) : next(exchange);
  }

  async #serve(exchange: Exchange): Promise<void> {
    const { path, method, headers, response } = exchange;
    const ours = path.startsWith(`${this.#authority}/`);
    const received = await this.#respond({
      method,
      // Always use https, which ACME requires (RFC 8555 §6.1). A proxy in front of the server may terminate TLS.
      base: `https://${this.#host ?? exchange.host}${this.#authority}`,
      path: ours ? path.slice(this.#authority.length) : '',
      contentType: headers.get('content-type') ?? null,
      body: await exchange.body.bytes(maxMessageSize),
    });
    for (const [name, value] of received.headers) response.headers.append(name, value);
    response.writeHead(received.status);
    response.end(received.body);
  }
}
