/** A canary: a configuration that serves a share of the requests alongside the active configuration. */

/** Property that selects the configuration for a request. Requests with the same value are served by the same configuration. */
export type CanaryKey =
  | { readonly of: 'connection' }
  | { readonly of: 'address' }
  | { readonly of: 'cookie'; readonly name: string }
  | { readonly of: 'header'; readonly name: string };

/** Selects the requests that a canary serves. */
export interface CanarySettings {
  /** ID of the rollout. The selection of clients depends on this ID, so that each rollout selects different clients. */
  readonly id: string;
  readonly key: CanaryKey;
  /** Share of clients, from 0 to 1. */
  readonly share: number;
}

/** Active canary settings. `share` changes while the canary runs. A larger share includes all clients of a smaller one. */
export type CanaryTraffic = Readonly<CanarySettings>;

/**
 * Reason why a module is retired. `replaced`: other modules serve requests now. `withdrawn`: a canary ended, and its requests and upgraded
 * connections may continue.
 */
export type RetireReason = 'replaced' | 'withdrawn';
