/** Values of the directive and option `log`, for the assembly. */
import type { Json } from '@sluice/base';

/** Log, and the hosts whose requests it records. */
export interface NamedLog {
  /** Log name; empty for the default name. */
  readonly name: string;
  /** Hosts of the log; empty for all site hosts. */
  readonly hostnames: readonly string[];
  /** Log as in `logging.logs`; `null` if it is only referenced. */
  readonly log: Json | null;
  /** True if only routes that name the log use it. */
  readonly noHostname: boolean;
}
