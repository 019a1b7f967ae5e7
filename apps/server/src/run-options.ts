/** How a server is to be run. */

/** Options of `run` and `start`. */
export interface RunOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly resume?: boolean;
  readonly watch?: boolean;
  readonly workers?: number;
  readonly module?: readonly string[];
  readonly envfile?: readonly string[];
  readonly pidfile?: string;
  readonly environ?: boolean;
}
