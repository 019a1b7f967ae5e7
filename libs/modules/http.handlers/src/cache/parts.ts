/** Parts of a cache handler that all its requests share. */
import type { Budget } from './budget.ts';
import type { CacheStore } from './cache-store.ts';
import type { Flights } from './flights.ts';
import type { KeyMaker } from './keys.ts';
import type { CacheMetrics } from './metrics.ts';
import type { Directives } from './policy/directives.ts';
import type { StoringSettings } from './policy/storing.ts';
import type { Stored } from './store/stored.ts';

export interface CacheSettings {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly storing: StoringSettings;
  readonly maxBody: number;
  readonly defaultCacheControl: string;
  readonly excluded: { test(path: string): boolean } | null;
  readonly collapses: boolean;
  readonly ignoresRequest: boolean;
  /** Upstream timeout in milliseconds. 0 means no limit. */
  readonly upstreamTimeout: number;
  readonly diskTimeout: number;
  readonly keys: KeyMaker;
}

export interface CacheParts {
  readonly settings: CacheSettings;
  readonly store: CacheStore;
  readonly flights: Flights;
  readonly budget: Budget;
  /** Request counters, or `null` to disable counting. */
  readonly metrics: CacheMetrics | null;
}

export interface CacheRequest {
  readonly key: string;
  readonly stored: Stored | null;
  readonly directives: Directives;
  /** Number of failed upstream requests that this request has waited for. */
  readonly attempt: number;
}
