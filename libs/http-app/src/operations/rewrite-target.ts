/** Interface for the steps of a request rewrite. */
import type { Exchange } from '../exchange/exchange.ts';

/** Request properties that a rewrite can change. */
export interface RewriteTarget {
  method: string;
  rawPath: string;
  query: string | null;
}

/**
 * Changes the method, path, and query of `target`, which is either the exchange or a request that a proxy sends. Placeholders are expanded
 * with values of the exchange.
 */
export type Rewrite = (exchange: Exchange, target: RewriteTarget) => void;
