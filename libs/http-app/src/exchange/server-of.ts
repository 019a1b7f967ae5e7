/**
 * What an exchange and its handlers see of the server that runs it. Exchanges know their server and servers their exchanges:
 * the class of exchanges is a parameter here, so that the files do not import each other. `exchange.ts` gives it.
 */

/** A list of routes as a handler sees it that runs one by its name. */
export interface RouteRunnerOf<E> {
  /** Runs the routes, then `next`. */
  enter(exchange: E, next: (exchange: E) => void | Promise<void>): void | Promise<void>;
}

/** Redirects to HTTPS, as the routes of a server on the HTTP port see them. */
export interface HttpsRedirectsOf<E> {
  /** Whether the request is redirected in front of the routes that are for any host. */
  comesFirst(exchange: E): boolean;
  /** Writes the redirect. */
  respond(exchange: E): void;
}

/** What an exchange and its handlers see of the server that runs it. */
export interface ServerOf<E> {
  /** Whether browsers get a page for errors that no route responds to. */
  readonly errorPages: boolean;
  readonly name: string;
  /** Redirects to HTTPS; `null` for none. */
  readonly redirects: HttpsRedirectsOf<E> | null;
  /** When the server will stop, in milliseconds since 1970; 0 while no shutdown is in progress. */
  readonly shutdownAt: number;
  /** The routes that `invoke` runs by this name. */
  namedRoute(name: string): RouteRunnerOf<E> | undefined;
  /** The address of the client, as trusted proxies name it. Called by `Exchange.clientIp`. */
  clientIp(exchange: E): string;
  /** Whether the peer is a trusted proxy, so that its forwarding fields are kept. */
  isTrustedProxy(exchange: E): boolean;
  /**
   * Runs an exchange. When it returns (or the promise settles) the response was ended, or the connection destroyed. It
   * never throws and never rejects.
   */
  handle(exchange: E): void | Promise<void>;
  /** Fails an exchange that runs by what one of its callbacks has thrown; see `Exchange.fault`. Never throws. */
  fail(exchange: E, error: unknown): void;
}
