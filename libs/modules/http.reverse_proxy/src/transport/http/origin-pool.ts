/** Interfaces between the origins of a pool and the pool. */
import type { DialAddress } from '@sluice/http-app';
import type { DialTarget } from './dialing.ts';
import type { Http3Dialer } from './http3-dialer.ts';
import type { OriginSettings } from './origin-settings.ts';

export interface OriginPlace {
  /** Key of the origin within its pool. */
  readonly key: string;
  readonly address: DialAddress;
  readonly target: DialTarget;
  /** Prefix that makes targets absolute for a forward proxy; empty for none. */
  readonly targetPrefix: string;
}

/** Settings and number of idle connections, which all origins of a pool share. */
export interface OriginPool<O> {
  readonly settings: OriginSettings;
  /** Opens HTTP/3 connections; `null` for other versions. */
  readonly http3: Http3Dialer | null;
  /** Number of idle connections of all origins. Maintained by the origins. */
  idle: number;
  /** True if no configuration uses the pool anymore. Idle connections are then closed. */
  readonly retired: boolean;
  readonly closed: boolean;
  /** Called when an origin has a connection again. */
  keep(origin: O): void;
  /** Called when an origin has no connections left. */
  drop(origin: O): void;
  watch(deadline: number): void;
}
