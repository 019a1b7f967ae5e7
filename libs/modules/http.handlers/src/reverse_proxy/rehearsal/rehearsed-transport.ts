/** A transport that sends nothing: upstreams respond what the client of the rehearsal declares. */
import {
  UpstreamError,
  type DeclaredResponse,
  type DialAddress,
  type Rehearsal,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';

const failures = {
  refused: ['dial', 'it is declared to refuse connections'],
  reset: ['closed', 'it is declared to close the connection'],
  timeout: ['timeout', 'it is declared not to respond in time'],
} as const;

/** Stands in the place of a transport. */
export class RehearsedTransport implements Transport {
  readonly usesTls: boolean;
  readonly #rehearsal: Rehearsal;

  constructor({ usesTls = false }: Transport, rehearsal: Rehearsal) {
    this.usesTls = usesTls;
    this.#rehearsal = rehearsal;
  }

  send({ hostPort }: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const { exchange, method, rawPath, query, host, headers } = request;
    // Requests of our own, such as health checks, do not belong to a rehearsal.
    if (exchange === null) throw new UpstreamError('dial', 'nothing is sent');
    const uri = query === null ? rawPath : `${rawPath}?${query}`;
    return new DeclaredCall(this.#rehearsal.send(exchange, { to: hostPort, method, uri, host, headers }), sink);
  }
}

/** Gives the sink what is declared. */
class DeclaredCall implements UpstreamCall {
  readonly #sink: UpstreamSink;
  readonly #body: Buffer;
  #over = false;

  constructor({ failure, status, headers, body }: DeclaredResponse, sink: UpstreamSink) {
    this.#sink = sink;
    this.#body = body;
    if (failure !== null) {
      this.#over = true;
      const [kind, message] = failures[failure];
      sink.onError(new UpstreamError(kind, message));
    } else if (sink.onHead(status, 'HTTP/1.1', headers.clone(), body.length)) this.resume();
  }

  resume(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#body.length > 0) this.#sink.onData(this.#body);
    this.#sink.onEnd(null);
  }

  abort(): void {
    this.#over = true;
  }
}
