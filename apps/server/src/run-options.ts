import type { Json } from '@sluice/base';

/** Command line options for fleets. */
export interface FleetFlags {
  /** `etcd://host:port[,host:port…]/cluster`. */
  readonly fleet?: string;
  readonly fleetMember?: string;
  readonly fleetLabel?: readonly string[];
}

/** Options of `sluice run` and `sluice start`. */
export interface RunOptions extends FleetFlags {
  readonly config?: string;
  readonly adapter?: string;
  readonly resume?: boolean;
  readonly watch?: boolean;
  readonly workers?: number;
  readonly module?: readonly string[];
  readonly envfile?: readonly string[];
  readonly pidfile?: string;
  readonly environ?: boolean;
  /** Address that receives the content of standard input when the server is ready. */
  readonly pingback?: string;
}

/** Options of `serve`. */
export interface ServeOptions extends RunOptions {
  /** Configuration document that replaces the file. It is not saved, and the saved configuration is ignored. */
  readonly document?: Json;
  /** Called with the listening addresses when the server is ready. */
  readonly onServing?: (addresses: readonly string[]) => void | Promise<void>;
}
