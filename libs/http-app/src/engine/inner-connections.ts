/** Connections to a server from within its process, for tests of configurations: no port is bound, and no client can be in the way. */
import { duplexPair, type Duplex } from 'node:stream';
import { EngineHost } from './engine-host.ts';
import type { SocketFacts } from './facts.ts';
import { serveSocket } from './serve.ts';
import type { ServerHandle } from './server-handle.ts';

/** Connects to one server, past its listeners. What listeners find out of a connection is given with it. */
export class InnerConnections {
  readonly #host: EngineHost;

  constructor(server: ServerHandle) {
    this.#host = new EngineHost(server);
  }

  /** A connection with such facts; the end of the client. `facts.tls` says what a handshake would have: none is made. */
  connect(facts: SocketFacts): Duplex {
    const [client, server] = duplexPair();
    serveSocket(this.#host, server, facts);
    return client;
  }

  /** Cuts all connections. */
  close(): void {
    this.#host.cut();
  }
}
