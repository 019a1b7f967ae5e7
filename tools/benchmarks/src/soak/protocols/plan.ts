/** Parameters of the soak test of all protocols. */

/** Protocol of a server's clients. HTTP/1.1 and HTTP/2 use TLS over TCP through the bindings. */
export type Protocol = 'h1' | 'h2' | 'h3';

export const protocols: readonly Protocol[] = ['h1', 'h2', 'h3'];

/**
 * Kinds of requests. `full` and `resumed` open a connection for each request. `medium` is 100 KiB, `large` is 5 MiB, and `upload` is 1 MiB,
 * of which the upstream returns the digest. `changing` requests the route whose configuration changes. `aborted` cancels a large response,
 * `dropped` closes the socket during a large response, and `left` closes the socket after a response, without a closing message.
 */
export type RequestKind =
  | 'full'
  | 'resumed'
  | 'small'
  | 'medium'
  | 'large'
  | 'upload'
  | 'proxied'
  | 'changing'
  | 'aborted'
  | 'dropped'
  | 'left';

export interface ProtocolPlan {
  /** Protocols to test at the same time, each with a server of its own. */
  readonly protocols: readonly Protocol[];
  readonly minutes: number;
  readonly sampleSeconds: number;
  /** Time until caches are full, in minutes. Earlier samples don't count. */
  readonly settleMinutes: number;
  /** Number of persistent connections per server. */
  readonly kept: number;
  /** Requests per second and server. */
  readonly rates: Readonly<Record<RequestKind, number>>;
  /** Interval between changes of a route, and between replacements of a certificate, in seconds. */
  readonly changeSeconds: number;
  readonly certificateSeconds: number;
  /** Lifetime of the other certificate, in seconds. It is renewed after two thirds of this time. */
  readonly lifetimeSeconds: number;
  /**
   * Counts native objects at the end. This requires heap snapshots, for which a busy machine may take so long that the server terminates the
   * worker.
   */
  readonly countsObjects: boolean;
  /** Idle timeout of QUIC connections, in seconds. */
  readonly idleSeconds: number;
}

/** One hour at about 15% of a core, including the load generators. */
export const fullProtocolPlan: ProtocolPlan = {
  protocols,
  minutes: 60,
  sampleSeconds: 60,
  settleMinutes: 15,
  kept: 4,
  rates: {
    full: 2,
    resumed: 2,
    small: 5,
    medium: 1,
    large: 0.1,
    upload: 0.2,
    proxied: 2,
    changing: 1,
    aborted: 0.5,
    dropped: 0.3,
    left: 0.5,
  },
  changeSeconds: 20,
  certificateSeconds: 60,
  lifetimeSeconds: 600,
  countsObjects: true,
  idleSeconds: 30,
};
