/** Options of a log socket. */
import type { Logger, NetworkAddress } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';

export interface NetworkOptions {
  readonly address: NetworkAddress;
  /** Address as configured, for messages. */
  readonly name: string;
  /** Connection timeout, in milliseconds. */
  readonly timeout: number;
  /** Starting without a connection is allowed. */
  readonly soft: boolean;
  /** Output for lines while disconnected. Closed with this output. */
  readonly fallback: LogOutput;
  readonly log: Logger;
}
