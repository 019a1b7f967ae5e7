/** What engines and handlers see of the server that runs an exchange. */
import type { Redirects } from '../automatic-https/redirects.ts';
import type { PaceRule } from '../engine/pace.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RouteList } from '../routing/route-list.ts';

/** Limits of a server that engines keep. Times in milliseconds; 0 means none. */
export interface ServerLimits {
  /** From the beginning of a request to the end of its body. */
  readonly readTimeout: number;
  /** For the head of a request. */
  readonly readHeaderTimeout: number;
  /** From the end of the head to the end of the answer. */
  readonly writeTimeout: number;
  /** For clients that stall while they send a body. */
  readonly readPace: PaceRule;
  /** For clients that stall while they take a response. */
  readonly writePace: PaceRule;
  /** Between requests of a connection. */
  readonly idleTimeout: number;
  /** Bytes of request line and header fields together. */
  readonly maxHeaderBytes: number;
  /** Milliseconds between TCP keep-alive probes; negative turns them off. */
  readonly keepAliveInterval: number;
  /** Go on reading the request body while the answer is written. */
  readonly fullDuplex: boolean;
  /** Lower-case names of request fields with `_` or `.` that are kept; all others with such signs are dropped. */
  readonly keptHeaders: ReadonlySet<string>;
}

/** A server of one configuration. Engines call {@link handle} once per request. */
export interface ServerHandle {
  readonly name: string;
  readonly limits: ServerLimits;
  /** The routes that `invoke` runs by this name. */
  namedRoute(name: string): RouteList | undefined;
  /** The address of the client, as trusted proxies name it. Called by `Exchange.clientIp`. */
  clientIp(exchange: Exchange): string;
  /** Whether the peer is a trusted proxy, so that its forwarding fields are kept. */
  isTrustedProxy(exchange: Exchange): boolean;
  /** Redirects to HTTPS; `null` for none. */
  readonly redirects: Redirects | null;
  /** When the server will stop, in milliseconds since 1970; 0 while no shutdown is under way. */
  readonly shutdownAt: number;
  /** Protocols that are on: `h1`, `h2`, `h2c`. */
  readonly protocols: readonly string[];
  /**
   * Runs an exchange. When it returns (or the promise settles) the response was ended, or the connection destroyed. It
   * never throws and never rejects.
   */
  handle(exchange: Exchange): void | Promise<void>;
  /** Fails an exchange that runs by what one of its callbacks has thrown; see `Exchange.fault`. Never throws. */
  fail(exchange: Exchange, error: unknown): void;
}
