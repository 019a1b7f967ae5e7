/** Options of a log socket. */
import type { Logger, NetworkAddress } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';

export interface NetworkOptions {
  readonly address: NetworkAddress;
  /** Address as configured, for messages. */
  readonly name: string;
  readonly timeout: number;
  /** True if the server may start without a connection. */
  readonly soft: boolean;
  /** Output for lines while disconnected. Closed with this output. */
  readonly fallback: LogOutput;
  readonly log: Logger;
}
