/** How a log socket is opened. */
import type { Logger, NetworkAddress } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';

/** Options of a socket. */
export interface NetworkOptions {
  readonly address: NetworkAddress;
  /** The address as configured, for messages. */
  readonly name: string;
  /** Longest time for a connection to be made, in milliseconds. */
  readonly timeout: number;
  /** Not reaching the address at first is not an error. */
  readonly soft: boolean;
  /** Where lines go meanwhile. Closed with the output. */
  readonly fallback: LogOutput;
  readonly log: Logger;
}
