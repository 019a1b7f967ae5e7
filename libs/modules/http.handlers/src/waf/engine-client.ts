/** A worker's connection to the WAF engine process, shared by all transactions. */
import { guarded, taskOf } from '@sluice/base';
import { connect, type Socket } from 'node:net';
import type { Pooled } from '@sluice/registry';
import { encodeFrame, requestHead, transactionOver, VerdictDecoder, type Verdict } from './frames.ts';

/** Thrown if the WAF engine is unavailable, or fails to inspect a request. */
export class EngineError extends Error {}

interface Waiting {
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const noPayload = Buffer.alloc(0);
const lastTransaction = 0xffff_ffff;

export class EngineClient implements Pooled {
  readonly #path: string;
  readonly #timeout: number;
  readonly #waiting = new Map<number, Waiting>();
  #socket: Socket | null = null;
  #transaction = 0;

  constructor(path: string, timeout: number) {
    this.#path = path;
    this.#timeout = timeout;
  }

  /**
   * Starts a transaction on the current connection. The transaction never moves to a new connection, because the engine keeps its state per
   * connection.
   */
  begin(): EngineTransaction {
    this.#transaction = this.#transaction === lastTransaction ? 1 : this.#transaction + 1;
    const socket = (this.#socket ??= this.#connect());
    return new EngineTransaction(this, socket, this.#transaction);
  }

  /** Sends a frame to the WAF engine. Resolves to the engine's verdict. */
  ask(socket: Socket, transaction: number, kind: number, payload: Buffer): Promise<Verdict> {
    if (socket !== this.#socket) return Promise.reject(new EngineError('the connection to the engine was lost'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(transaction);
        reject(new EngineError(`the engine did not respond within ${this.#timeout} ms`));
      }, this.#timeout);
      this.#waiting.set(transaction, { resolve, reject, timer });
      socket.write(encodeFrame(transaction, kind, payload));
    });
  }

  end(socket: Socket, transaction: number): void {
    if (socket === this.#socket) socket.write(encodeFrame(transaction, transactionOver, noPayload));
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const socket = connect(this.#path);
    const decoder = new VerdictDecoder((transaction, verdict) => {
      const waiting = this.#take(transaction);
      if (verdict.error === undefined) waiting?.resolve(verdict);
      else waiting?.reject(new EngineError(verdict.error));
    });
    let reason = 'the engine closed the connection';
    socket.on('data', (piece: Buffer) => decoder.push(piece));
    socket.on('error', (error) => {
      reason = `cannot connect to the engine: ${error.message}`;
    });
    socket.on(
      'close',
      guarded(taskOf('http.handlers.waf'), () => {
        if (this.#socket === socket) this.#socket = null;
        for (const transaction of [...this.#waiting.keys()]) this.#take(transaction)?.reject(new EngineError(reason));
      }),
    );
    return socket;
  }

  #take(transaction: number): Waiting | undefined {
    const waiting = this.#waiting.get(transaction);
    clearTimeout(waiting?.timer);
    this.#waiting.delete(transaction);
    return waiting;
  }
}

/** WAF engine transaction: one request and its response. */
export class EngineTransaction {
  readonly #client: EngineClient;
  readonly #socket: Socket;
  readonly #id: number;
  #begun = false;

  constructor(client: EngineClient, socket: Socket, id: number) {
    this.#client = client;
    this.#socket = socket;
    this.#id = id;
  }

  /** Sends a frame once the engine has responded to the transaction's previous frame. */
  ask(kind: number, payload: Buffer = noPayload): Promise<Verdict> {
    this.#begun ||= kind === requestHead;
    return this.#client.ask(this.#socket, this.#id, kind, payload);
  }

  end(): void {
    if (this.#begun) this.#client.end(this.#socket, this.#id);
  }
}
