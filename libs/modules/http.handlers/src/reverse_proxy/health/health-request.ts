/** Asks an upstream how it is: one request, its response read as far as it counts. */
import type { Duplex } from 'node:stream';
import { runGuarded, taskOf } from '@sluice/base';
import {
  BufferedBody,
  emptyBody,
  type DialAddress,
  type RequestBody,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';

/** A request of a check. */
export interface HealthQuestion {
  readonly method: string;
  readonly rawPath: string;
  readonly query: string | null;
  readonly host: string;
  readonly headers: HeaderMap;
  readonly body: string;
}

export interface HealthResponse {
  readonly status: number;
  readonly headers: HeaderMap;
  /** As much of the body as was asked for. */
  readonly body: string;
}

/** How much of a response is read, and how long it is waited for. */
export interface ResponseLimits {
  /** Bytes of the body; 0: none, Infinity: all. */
  readonly maxSize: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Sends a question, and gives the response or an error. */
export function askUpstream(
  transport: Transport,
  address: DialAddress,
  question: HealthQuestion,
  { maxSize, timeout }: ResponseLimits,
): Promise<HealthResponse> {
  return new Promise((resolve, reject) => {
    const body: RequestBody = question.body === '' ? emptyBody : new BufferedBody(Buffer.from(question.body));
    const request: UpstreamRequest = { ...question, body, upgrade: '', exchange: null };
    let call: UpstreamCall | null = null;
    let over = false;
    const settle = (result: HealthResponse | Error): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      if (result instanceof Error) reject(result);
      else resolve(result);
      runGuarded(taskOf('http.handlers.reverse_proxy'), () => call?.abort());
    };
    const timer = setTimeout(() => settle(new Error(`there was no response within ${timeout} ms`)), timeout);
    timer.unref();
    try {
      call = transport.send(address, request, new HealthSink(maxSize, settle));
    } catch (error) {
      settle(error as Error);
    }
  });
}

class HealthSink implements UpstreamSink {
  readonly borrows = false;
  readonly holds = true;
  readonly #maxSize: number;
  readonly #settle: (result: HealthResponse | Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #headers: HeaderMap | null = null;

  constructor(maxSize: number, settle: (result: HealthResponse | Error) => void) {
    this.#maxSize = maxSize;
    this.#settle = settle;
  }

  onInformational(): boolean {
    return true;
  }

  onHead(status: number, _proto: string, headers: HeaderMap): boolean {
    this.#status = status;
    this.#headers = headers;
    return true;
  }

  onSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.onData(Buffer.from(bytes.subarray(from, to)));
  }

  onData(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    // A small rest is read for no one, so that the connection can be kept.
    if (this.#size > this.#maxSize + 64 * 1024) this.#finish();
    return true;
  }

  onLull(): void {}

  onEnd(): void {
    this.#finish();
  }

  onUpgrade(_headers: HeaderMap, socket: Duplex): void {
    socket.destroy();
    this.#settle(new Error('the upstream switched protocols'));
  }

  onError(error: Error): void {
    this.#settle(error);
  }

  #finish(): void {
    const whole = Buffer.concat(this.#chunks);
    const body = whole.length > this.#maxSize ? whole.subarray(0, this.#maxSize) : whole;
    this.#settle({ status: this.#status, headers: this.#headers as HeaderMap, body: body.toString('utf8') });
  }
}
