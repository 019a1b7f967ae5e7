/** Sends one health check request and reads the response, up to the size limits. */
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
  /** Response body, truncated to the requested size. */
  readonly body: string;
}

export interface ResponseLimits {
  /** Maximum size of the body to read, in bytes. 0 reads no body, and Infinity means unlimited. */
  readonly maxSize: number;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

/** Sends a health check request. Returns the response or an error. */
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
    const timer = setTimeout(() => settle(new Error(`no response within ${timeout} ms`)), timeout);
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
    // If the rest of the body is small, read it, so that the connection can be reused.
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
