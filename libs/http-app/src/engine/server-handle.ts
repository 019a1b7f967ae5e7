/** The server as seen by the protocol code. */
import type { KeptNames } from '@sluice/http1';
import type { PaceRule } from '../exchange/pace-rule.ts';
import type { Addressed } from '../exchange/addressed.ts';
import type { ExchangeServer } from '../exchange/exchange.ts';

/** Server limits enforced by engines. Times are in milliseconds; 0 means no limit. */
export interface ServerLimits {
  /** Maximum time between the start of a request and the end of its body. */
  readonly readTimeout: number;
  /** Time for the request head. */
  readonly readHeaderTimeout: number;
  /** Maximum time between the end of the request head and the end of the response. */
  readonly writeTimeout: number;
  /** Pace rule for clients that stall while sending a body. */
  readonly readPace: PaceRule;
  /** Pace rule for clients that stall while receiving a response. */
  readonly writePace: PaceRule;
  /** Maximum time between requests on a connection. */
  readonly idleTimeout: number;
  /** Maximum size of the request line and header fields together, in bytes. */
  readonly maxHeaderBytes: number;
  /** Milliseconds between TCP keep-alive probes; negative = disabled. */
  readonly keepAliveInterval: number;
  /** Keep reading the request body while the response is written. */
  readonly fullDuplex: boolean;
  /** Lowercase names with `_` or `.` of request fields to keep. Other names with these characters are dropped. */
  readonly keptHeaders: KeptNames;
}

/** A server of one configuration. Engines call `handle` once per request. */
export interface ServerHandle extends ExchangeServer {
  readonly limits: ServerLimits;
  /** Enabled protocols: `h1`, `h2`, `h2c`. */
  readonly protocols: readonly string[];
  clientIp(request: Addressed): string;
}
