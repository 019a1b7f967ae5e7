/** Values of the directive and option `log`, for the assembly. */
import type { Json } from '@sluice/base';

export interface NamedLog {
  /** Empty for the default name. */
  readonly name: string;
  /** Hosts whose requests are logged; empty for all hosts of the site. */
  readonly hostnames: readonly string[];
  /** Log as in `logging.logs`; `null` if it is only referenced. */
  readonly log: Json | null;
  /** True if only routes that name the log use it. */
  readonly noHostname: boolean;
}
