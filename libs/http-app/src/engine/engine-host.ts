/** HTTP connections of one listener, and the listener properties that they need. */
import type { Duplex } from 'node:stream';
import { ConnectionHost } from './connection-host.ts';
import type { CutReports } from './cut-reports.ts';
import type { SocketFacts } from './facts.ts';
import type { ServerHandle } from './server-handle.ts';

export { newcomerTime, type EngineConnection } from './connection-host.ts';

/** Starts the HTTP/2 engine on a socket; `head` contains the bytes already read. */
export type ServeHttp2 = (host: EngineHost, socket: Duplex, facts: SocketFacts, head: Buffer | null) => void;

/** Keeps the HTTP connections of a listener. */
export class EngineHost extends ConnectionHost {
  /** Server of the current configuration, looked up for each request. */
  target: ServerHandle;
  /** Protocols of this listener; `null` for the server's protocols. */
  protocols: readonly string[] | null = null;
  readonly #cutReports: CutReports | null;

  constructor(target: ServerHandle, cutReports: CutReports | null = null) {
    super();
    this.target = target;
    this.#cutReports = cutReports;
  }

  /** Reports that a connection is cut because of client behavior. */
  reportCut({ remoteAddress }: SocketFacts, reason: string): void {
    this.#cutReports?.report(remoteAddress, reason);
  }
}
