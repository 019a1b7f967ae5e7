/** HTTP connections of one listener, and the listener properties that they need. */
import type { Duplex } from 'node:stream';
import type { RequestHead } from '@sluice/http1';
import { ConnectionHost } from './connection-host.ts';
import type { CutReports } from './cut-reports.ts';
import type { SocketFacts } from './facts.ts';
import type { ServerHandle } from './server-handle.ts';

export { newcomerTime, type EngineConnection } from './connection-host.ts';

/** Starts the HTTP/2 engine on a socket; `head` contains the bytes already read. */
export type ServeHttp2 = (host: EngineHost, socket: Duplex, facts: SocketFacts, head: Buffer | null) => void;

/** Decides which server handles a request. */
export interface RequestSplit {
  choose(serving: ServerHandle, request: Pick<RequestHead, 'headers'>, facts: SocketFacts): ServerHandle;
}

/** Keeps the HTTP connections of a listener. */
export class EngineHost extends ConnectionHost {
  /** Server of the current configuration, looked up for each request. */
  target: ServerHandle;
  /** Protocols of this listener; `null` for the server's protocols. */
  protocols: readonly string[] | null = null;
  /** Sends some requests to another server while a canary runs; otherwise `null`. */
  split: RequestSplit | null = null;
  readonly #cutReports: CutReports | null;

  constructor(target: ServerHandle, cutReports: CutReports | null = null) {
    super();
    this.target = target;
    this.#cutReports = cutReports;
  }

  /** Returns the server for a request. */
  serverFor(request: Pick<RequestHead, 'headers'>, facts: SocketFacts): ServerHandle {
    const { split, target } = this;
    return split === null ? target : split.choose(target, request, facts);
  }

  /** Reports that a connection is cut because of client behavior. */
  reportCut({ remoteAddress }: SocketFacts, reason: string): void {
    this.#cutReports?.report(remoteAddress, reason);
  }
}
