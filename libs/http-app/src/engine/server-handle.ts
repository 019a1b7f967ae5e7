/** What engines see of the server that runs exchanges. */
import type { KeptNames } from '@sluice/http1';
import type { PaceRule } from '../exchange/pace-rule.ts';
import type { ExchangeServer } from '../exchange/exchange.ts';

/** Limits of a server that engines keep. Times in milliseconds; 0 means none. */
export interface ServerLimits {
  /** From the beginning of a request to the end of its body. */
  readonly readTimeout: number;
  /** For the head of a request. */
  readonly readHeaderTimeout: number;
  /** From the end of the head to the end of the response. */
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
  /** Go on reading the request body while the response is written. */
  readonly fullDuplex: boolean;
  /** Lower-case names of request fields with `_` or `.` that are kept; all others with such signs are dropped. */
  readonly keptHeaders: KeptNames;
}

/** A server of one configuration. Engines call `handle` once per request. */
export interface ServerHandle extends ExchangeServer {
  readonly limits: ServerLimits;
  /** Protocols that are on: `h1`, `h2`, `h2c`. */
  readonly protocols: readonly string[];
}
