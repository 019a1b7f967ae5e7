/** Options for a log output that uses a network socket. */
import type { Logger, NetworkAddress } from '@sluice/base';
import type { LogOutput } from '@sluice/contracts';

export interface NetworkOptions {
  readonly address: NetworkAddress;
  /** Address as configured, for messages. */
  readonly name: string;
  readonly timeout: number;
  /** True if the server may start even if the connection fails. */
  readonly soft: boolean;
  /** Output for lines while the socket is disconnected. It is closed together with this output. */
  readonly fallback: LogOutput;
  readonly log: Logger;
}
