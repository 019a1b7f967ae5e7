/** The parts of a request that determine the client IP address. */
import type { HeaderMap } from '@sluice/http1';
import type { ConnectionInfo } from './connection.ts';

export interface Addressed {
  readonly connection: Pick<ConnectionInfo, 'remoteAddress' | 'unix'>;
  readonly headers: HeaderMap;
}
