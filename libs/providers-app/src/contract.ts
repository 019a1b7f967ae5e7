/** Interface of providers, which derive configuration from source objects such as containers or cluster resources. */
import type { JsonObject, Logger } from '@sluice/base';
import { namespace, type Namespace } from '@sluice/registry';

/** Module namespace `sluice.providers`; the inline key is `provider`. */
export const providers: Namespace<Provider> = namespace<Provider>('sluice.providers');

/** Configuration derived from one source object. */
export interface Fragment {
  /** Name of the source object for users, such as `container web-1`. */
  readonly object: string;
  /**
   * Partial configuration. Each server in it is merged into the existing server that listens on one of the same addresses. {@link
   * mergeFragments} lists the parts that are used.
   */
  readonly config: JsonObject;
  /** Sort key that determines the fragment's position among the provider's fragments. Compared by code unit. Default: the fragment key. */
  readonly rank?: string;
  /**
   * Set if the routes are a fallback. A fallback handles requests that match no other route of the server, including routes of other
   * providers. Each server uses only the first fallback. Fallbacks are sorted by this string, compared by code unit.
   */
  readonly fallback?: string;
}

/** Fragments to add or replace, by key. `null` removes a fragment. */
export type FragmentChanges = ReadonlyMap<string, Fragment | null>;

export interface ProviderHost {
  readonly log: Logger;
  /** Replaces all fragments with the complete state of the source, for example after an outage. */
  replace(all: ReadonlyMap<string, Fragment>): void;
  /** Applies changes from a source event. */
  update(changes: FragmentChanges): void;
  /** Reports that the source is unavailable although `watch` continues. `null` reports that it is available again. */
  report(error: unknown): void;
  /** Converts text from another format with a `caddy.adapters` module. Rejects if the text is invalid. */
  adapt(format: string, body: string): Promise<JsonObject>;
}

/**
 * Results of applying fragments, by key: `null` on success, or the reason for the rejection. Also includes fragments that were rejected
 * earlier and have been retried, because the cause of their rejection may no longer exist.
 */
export type FragmentResults = ReadonlyMap<string, string | null>;

/** A module in the namespace `sluice.providers`. Runs in the control thread. */
export interface Provider {
  /**
   * Watches the source until `signal` aborts. If the promise rejects, the fragments stay active. The method is then called again with a
   * backoff of up to 30 seconds.
   */
  watch(host: ProviderHost, signal: AbortSignal): Promise<void>;
  /** Called when all threads use new fragments. Also called for rejected fragments. */
  applied?(results: FragmentResults): void;
}
