/** A canary: a configuration that serves a share of the requests beside the active one. */

/** Property that decides which configuration serves a request. Equal properties lead to the same configuration. */
export type CanaryKey =
  | { readonly of: 'connection' }
  | { readonly of: 'address' }
  | { readonly of: 'cookie'; readonly name: string }
  | { readonly of: 'header'; readonly name: string };

/** Selection of the requests that a canary serves. */
export interface CanarySettings {
  /** Identifies the rollout, so that each rollout selects other clients. */
  readonly id: string;
  readonly key: CanaryKey;
  /** Share of the clients, from 0 to 1. */
  readonly share: number;
}

/** The settings in effect. `share` changes while the canary runs; a larger share includes the clients of a smaller one. */
export type CanaryTraffic = Readonly<CanarySettings>;

/** `replaced`: other modules serve instead. `withdrawn`: a canary ended, and its requests and upgraded connections may continue. */
export type RetireReason = 'replaced' | 'withdrawn';
