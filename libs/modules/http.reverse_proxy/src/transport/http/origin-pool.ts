/** Interfaces between a connection pool and its origins. */
import type { DialAddress } from '@sluice/http-app';
import type { DialTarget } from './dialing.ts';
import type { Http3Dialer } from './http3-dialer.ts';
import type { OriginSettings } from './origin-settings.ts';

export interface OriginPlace {
  /** Key of the origin within its connection pool. */
  readonly key: string;
  readonly address: DialAddress;
  readonly target: DialTarget;
  /** Prefix that turns request targets into absolute URLs for a forward proxy. Empty if the targets remain relative. */
  readonly targetPrefix: string;
}

/** Settings and idle connection count, shared by all origins of a pool. */
export interface OriginPool<O> {
  readonly settings: OriginSettings;
  /** Dialer for HTTP/3 connections, or `null` for other HTTP versions. */
  readonly http3: Http3Dialer | null;
  /** Number of idle connections of all origins in the pool. The origins update it. */
  idle: number;
  /** True once no configuration uses the pool. Idle connections are then closed. */
  readonly retired: boolean;
  readonly closed: boolean;
  /** Adds the origin to the pool again when it has a new connection. */
  keep(origin: O): void;
  /** Removes the origin from the pool when it has no connections left. */
  drop(origin: O): void;
  watch(deadline: number): void;
}
