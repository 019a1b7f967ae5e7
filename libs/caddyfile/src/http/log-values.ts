/** What the directive and the option `log` leave for the assembly. */
import type { Json } from '@sluice/base';

/** A log, and which hosts' access it is for. */
export interface NamedLog {
  /** Empty: the usual name. */
  readonly name: string;
  /** Hosts it is for; empty: all of its site. */
  readonly hostnames: readonly string[];
  /** The log as `logging.logs` has it; `null` where it only is referred to. */
  readonly log: Json | null;
  /** Whether it is only used by routes that name it. */
  readonly noHostname: boolean;
}
