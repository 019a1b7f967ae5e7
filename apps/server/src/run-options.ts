/** How a server is to be run. */
import type { Json } from '@sluice/base';

/** What the command line says of a fleet. */
export interface FleetFlags {
  /** `etcd://host:port[,host:port…]/cluster`. */
  readonly fleet?: string;
  readonly fleetMember?: string;
  readonly fleetLabel?: readonly string[];
}

/** Options of `run` and `start`. */
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
  /** Where to send what standard input holds when it serves. */
  readonly pingback?: string;
}

/** Options of `serve`. */
export interface ServeOptions extends RunOptions {
  /** A configuration in place of that of a file. It is not saved, and no saved one is looked for. */
  readonly document?: Json;
  /** Called when it serves, with the addresses that it listens on. */
  readonly onServing?: (addresses: readonly string[]) => void | Promise<void>;
}
