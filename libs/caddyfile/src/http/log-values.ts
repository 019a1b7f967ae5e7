/** Values of the `log` directive and the `log` option, for assembling the document. */
import type { Json } from '@sluice/base';

export interface NamedLog {
  /** Log name. Empty for the default name. */
  readonly name: string;
  /** Hosts whose requests are logged. If empty, requests for all hosts of the site are logged. */
  readonly hostnames: readonly string[];
  /** Log configuration as in `logging.logs`. `null` if the directive only refers to another log. */
  readonly log: Json | null;
  /** True if the log is used only by routes that reference it explicitly. */
  readonly noHostname: boolean;
}
