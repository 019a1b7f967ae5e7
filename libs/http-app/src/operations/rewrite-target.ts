/** Contract for the steps of a rewrite. */
import type { Exchange } from '../exchange/exchange.ts';

/** Request properties that a rewrite changes. */
export interface RewriteTarget {
  method: string;
  rawPath: string;
  query: string | null;
}

/**
 * Changes method, path and query of `target`, which is the exchange itself or a request sent by a proxy. Placeholders
 * are expanded from the exchange.
 */
export type Rewrite = (exchange: Exchange, target: RewriteTarget) => void;
