/** Contract of providers, which derive configuration from source objects, such as containers or cluster resources. */
import type { JsonObject, Logger } from '@sluice/base';
import { namespace, type Namespace } from '@sluice/registry';

/** Namespace of providers; inline key `provider`. */
export const providers: Namespace<Provider> = namespace<Provider>('sluice.providers');

/** Configuration derived from one object of a source. */
export interface Fragment {
  /** Source object as users know it, such as `container web-1`. */
  readonly object: string;
  /**
   * Part of a configuration. Each server is merged into the server that listens on one of its addresses. {@link mergeFragments} lists the
   * parts that are used.
   */
  readonly config: JsonObject;
  /** Position among the provider's fragments, compared by code unit. Default: the fragment key. */
  readonly rank?: string;
  /**
   * Set if the routes handle requests that match no other route of a server, whichever provider adds it. Each server uses only the first
   * fallback, in the order of this text by code unit.
   */
  readonly fallback?: string;
}

/** Fragments to add or replace, by key. `null` removes one. */
export type FragmentChanges = ReadonlyMap<string, Fragment | null>;

export interface ProviderHost {
  readonly log: Logger;
  /** Replaces all fragments with the complete state of the source, for example after an outage. */
  replace(all: ReadonlyMap<string, Fragment>): void;
  /** Applies an event of the source. */
  update(changes: FragmentChanges): void;
  /** Reports that the source is unavailable although `watch` continues, or available again (`null`). */
  report(error: unknown): void;
  /** Converts text in another format with a module of `caddy.adapters`. Rejects if the text is invalid. */
  adapt(format: string, body: string): Promise<JsonObject>;
}

/**
 * Results of applying fragments, by key: `null`, or the reason for the rejection. Includes rejected fragments that were applied again because
 * the cause of the rejection may have disappeared.
 */
export type FragmentResults = ReadonlyMap<string, string | null>;

/** A module of `sluice.providers`. Runs in the control thread. */
export interface Provider {
  /**
   * Watches the source until `signal` aborts. If the promise rejects, the fragments remain, and the method is called again after a delay
   * that grows up to 30 seconds.
   */
  watch(host: ProviderHost, signal: AbortSignal): Promise<void>;
  /** Called when all threads use new fragments, and for rejected ones. */
  applied?(results: FragmentResults): void;
}
