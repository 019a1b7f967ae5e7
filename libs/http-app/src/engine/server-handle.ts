/** Interface of a server for the HTTP engines. */
import type { KeptNames } from '@sluice/http1';
import type { PaceRule } from '../exchange/pace-rule.ts';
import type { Addressed } from '../exchange/addressed.ts';
import type { ExchangeServer } from '../exchange/exchange.ts';

/** Server limits that the HTTP engines enforce. Times are in milliseconds. 0 means no limit. */
export interface ServerLimits {
  /** Maximum time between the start of a request and the end of its body, in milliseconds. */
  readonly readTimeout: number;
  /** Maximum time for receiving the request headers, in milliseconds. */
  readonly readHeaderTimeout: number;
  /** Maximum time between the end of the request headers and the end of the response, in milliseconds. */
  readonly writeTimeout: number;
  /** Transfer rate rule for clients that stall while they send a request body. */
  readonly readPace: PaceRule;
  /** Transfer rate rule for clients that stall while they receive a response. */
  readonly writePace: PaceRule;
  /** Maximum time between requests on a connection, in milliseconds. */
  readonly idleTimeout: number;
  /** Maximum total size of the request line and the headers, in bytes. */
  readonly maxHeaderBytes: number;
  /** Interval between TCP keep-alive probes, in milliseconds. A negative value disables the probes. */
  readonly keepAliveInterval: number;
  /** True to continue reading the request body while the response is written. */
  readonly fullDuplex: boolean;
  /** Lowercase names of request headers to keep even though they contain `_` or `.`. Other headers with these characters are dropped. */
  readonly keptHeaders: KeptNames;
}

/** A server in one configuration. HTTP engines call `handle` once for each request. */
export interface ServerHandle extends ExchangeServer {
  readonly limits: ServerLimits;
  /** Enabled HTTP versions: `h1`, `h2`, and `h2c`. */
  readonly protocols: readonly string[];
  clientIp(request: Addressed): string;
}
