/** Contract for the steps of a rewrite. */
import type { Exchange } from '../exchange/exchange.ts';

/** Request properties that a rewrite changes. */
export interface RewriteTarget {
  method: string;
  rawPath: string;
  query: string | null;
}

/**
 * Changes method, path and query of `target`: the exchange itself, or the request that a proxy sends. Placeholders use the values of the
 * exchange.
 */
export type Rewrite = (exchange: Exchange, target: RewriteTarget) => void;
