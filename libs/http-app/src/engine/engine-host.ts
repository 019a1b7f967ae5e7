/** HTTP connections of one listener, and the properties of the listener that the connections need. */
import type { Duplex } from 'node:stream';
import type { RequestHead } from '@sluice/http1';
import { ConnectionHost } from './connection-host.ts';
import type { CutReports } from './cut-reports.ts';
import type { SocketFacts } from './facts.ts';
import type { ServerHandle } from './server-handle.ts';

export { newConnectionTime, type EngineConnection } from './connection-host.ts';

/** Starts HTTP/2 on a socket. `head` contains the bytes that have already been read. */
export type ServeHttp2 = (host: EngineHost, socket: Duplex, facts: SocketFacts, head: Buffer | null) => void;

/** Selects the server that handles a request. */
export interface RequestSplit {
  choose(serving: ServerHandle, request: Pick<RequestHead, 'headers'>, facts: SocketFacts): ServerHandle;
}

export class EngineHost extends ConnectionHost {
  /** Server in the active configuration. Each request reads this field. */
  target: ServerHandle;
  /** HTTP versions that this listener supports. `null` selects the server's HTTP versions. */
  protocols: readonly string[] | null = null;
  /** Sends some of the requests to another server while a canary runs. Otherwise `null`. */
  split: RequestSplit | null = null;
  readonly #cutReports: CutReports | null;

  constructor(target: ServerHandle, cutReports: CutReports | null = null) {
    super();
    this.target = target;
    this.#cutReports = cutReports;
  }

  serverFor(request: Pick<RequestHead, 'headers'>, facts: SocketFacts): ServerHandle {
    const { split, target } = this;
    return split === null ? target : split.choose(target, request, facts);
  }

  /** Records that a connection was closed because of client behavior. */
  reportCut({ remoteAddress }: SocketFacts, reason: string): void {
    this.#cutReports?.report(remoteAddress, reason);
  }
}
