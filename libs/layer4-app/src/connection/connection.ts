/** A connection that is being routed: TCP, decrypted TLS data, or the packets of one UDP peer. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { guarded, joinHostPort, reportFault, type Guarded, type Logger } from '@sluice/base';
import type { Captures, ConnectionHost, EngineConnection, SocketFacts } from '@sluice/http-app';
import type { Epoch } from '@sluice/reconciler';
import type { ConnectionCount } from './counts.ts';
import type { ConnectionTable } from './connection-table.ts';
import { Steps } from './steps.ts';

const never = Number.POSITIVE_INFINITY;

export type TransportName = 'tcp' | 'udp' | 'unix';

export interface Layer4ConnectionOptions {
  readonly socket: Duplex;
  readonly facts: SocketFacts;
  readonly transport: TransportName;
  readonly log: Logger;
  /**
   * Configuration epoch to which the connection belongs until {@link Layer4Connection.settle} is called. The connection uses components of
   * this epoch. `null` if epochs are not counted.
   */
  readonly epoch: Epoch | null;
  readonly table: ConnectionTable | null;
}

/** A layer 4 connection. A PROXY header may replace its addresses, and TLS termination replaces its socket. */
export class Layer4Connection implements EngineConnection, Guarded {
  /** Deadline of the handler or matcher that is waiting for data. */
  readonly deadline: number = never;
  /** Current socket. Bytes that were not consumed have been put back. */
  socket: Duplex;
  readonly facts: SocketFacts;
  readonly transport: TransportName;
  readonly log: Logger;
  /** Current position in the layer 4 route lists. */
  readonly steps: Steps = new Steps();
  /** Counter of the route to which the connection is attributed. */
  #count: ConnectionCount | null = null;
  readonly #raw: Duplex;
  readonly #table: ConnectionTable | null;
  #epoch: Epoch | null;
  #host: ConnectionHost | null = null;
  #vars: Map<string, unknown> | null = null;
  #values: Map<string, unknown> | null = null;
  #captures: Map<string, Captures> | null = null;
  #closed = false;

  constructor({ socket, facts, transport, log, epoch, table }: Layer4ConnectionOptions) {
    this.socket = socket;
    this.#raw = socket;
    this.facts = facts;
    this.transport = transport;
    this.log = log;
    this.#table = table;
    this.#epoch = epoch;
    epoch?.enter();
    table?.add(this);
    socket.on('error', ignore);
    socket.once(
      'close',
      guarded(this, () => this.#ended()),
    );
  }

  /** Registers the layer 4 connection with a listener. */
  join(host: ConnectionHost): void {
    this.#host = host;
    host.add(this);
  }

  /** Addresses and TLS details, under the property name that HTTP exchanges use. */
  get connection(): SocketFacts {
    return this.facts;
  }

  get closed(): boolean {
    return this.#closed || this.#raw.destroyed;
  }

  /** Counts the connection for a new route, and stops counting it for the previous route. */
  countFor(count: ConnectionCount | null): void {
    if (count === null) return;
    this.#count?.leave();
    this.#count = this.#closed ? null : count;
    this.#count?.enter();
  }

  /** Returns a variable that the `vars` handler set. Returns `undefined` if it is not set. */
  variable(name: string): unknown {
    return this.#vars?.get(name);
  }

  setVariable(name: string, value: unknown): void {
    (this.#vars ??= new Map()).set(name, value);
  }

  /** Returns the value of the placeholder `{l4.<name>}`, which a matcher has set. */
  value(name: string): unknown {
    return this.#values?.get(name);
  }

  setValue(name: string, value: unknown): void {
    (this.#values ??= new Map()).set(name, value);
  }

  captures(name: string): Captures | undefined {
    return this.#captures?.get(name);
  }

  setCaptures(name: string, captures: Captures): void {
    (this.#captures ??= new Map()).set(name, captures);
  }

  /**
   * Releases the configuration, so that configuration changes don't wait for the connection. The current handler must keep references to
   * components that it still uses.
   */
  settle(): void {
    const epoch = this.#epoch;
    this.#epoch = null;
    epoch?.leave();
  }

  /** Hands the connection over to other code, such as the HTTP server behind a listener wrapper. */
  release(): void {
    this.#ended();
  }

  /** Closes the connection after pending writes complete. */
  close(): void {
    const { socket } = this;
    if (socket.destroyed) this.#raw.destroy();
    else if ('destroySoon' in socket) (socket as Socket).destroySoon();
    else socket.end(() => socket.destroy());
  }

  /** Closes the connection because of an error. */
  fail(error: unknown): void {
    this.log.error('failed to handle connection', { ...this.#place(), error });
    this.cut();
  }

  fault(error: unknown): void {
    reportFault({ part: 'connection', error, module: 'layer4', log: this.log });
    this.cut();
  }

  /** Logs the reason why no route was selected. */
  warn(message: string): void {
    this.log.warn(message, this.#place());
  }

  #place(): { remote: string; local: string } {
    const { remoteAddress, remotePort, localAddress, localPort } = this.facts;
    return { remote: joinHostPort(remoteAddress, remotePort), local: joinHostPort(localAddress, localPort) };
  }

  expire(): void {
    // This method is empty, because no deadline is ever set.
  }

  /** Called when the listener closes. Does nothing, because connections outlive their listener. */
  retire(): void {
    // This method is empty, because `ConnectionTable` closes the connections when the app stops.
  }

  finish(): void {
    // This method is empty, because connections outlive their listener.
  }

  cut(): void {
    this.socket.destroy();
    this.#raw.destroy();
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#count?.leave();
    this.#count = null;
    this.settle();
    this.#host?.delete(this);
    this.#table?.delete(this);
  }
}

function ignore(): void {}
