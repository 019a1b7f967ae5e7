/** Contract of the steps of a rewrite. */
import type { Exchange } from '../exchange/exchange.ts';

/** What a rewrite changes. */
export interface RewriteTarget {
  method: string;
  rawPath: string;
  query: string | null;
}

/**
 * Changes method, path and query of `target`: of the exchange itself, or of the request that a proxy sends. Placeholders have
 * the values of the exchange.
 */
export type Rewrite = (exchange: Exchange, target: RewriteTarget) => void;
