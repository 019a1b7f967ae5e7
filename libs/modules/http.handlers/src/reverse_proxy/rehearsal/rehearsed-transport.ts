/** A transport for dry runs that does not send anything. The client of the dry run declares the responses of the upstreams. */
import { isSameToken } from '@sluice/base';
import {
  UpstreamError,
  type DescribedRequest,
  type DeclaredResponse,
  type DialAddress,
  type Rehearsal,
  type RequestBody,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';

const failures = {
  refused: ['dial', 'the simulated upstream refuses connections'],
  reset: ['closed', 'the simulated upstream closes the connection'],
  timeout: ['timeout', 'the simulated upstream times out'],
} as const;

export class RehearsedTransport implements Transport {
  readonly usesTls: boolean;
  readonly #transport: Transport;
  readonly #rehearsal: Rehearsal;

  constructor(transport: Transport, rehearsal: Rehearsal) {
    this.usesTls = transport.usesTls ?? false;
    this.#transport = transport;
    this.#rehearsal = rehearsal;
  }

  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const { exchange, method } = request;
    // Requests that the server itself makes, such as health checks, are not part of a dry run.
    if (exchange === null) throw new UpstreamError('dial', 'nothing is sent');
    const { uri, host, headers, decodesGzip } = this.#transport.describe?.(address, request) ?? asMade(request);
    const readBody = (): Error | null => errorOf(request.body);
    const declared = this.#rehearsal.send(exchange, { to: address.hostPort, method, uri, host, headers, readBody });
    if (declared.bodyError !== null) {
      sink.onError(declared.bodyError);
      return noCall;
    }
    return new DeclaredCall(asReceived(declared, method, decodesGzip), sink);
  }
}

/** A completed call. */
const noCall: UpstreamCall = { resume: () => undefined, abort: () => undefined };

/** Reads a body to its end. Returns the error that interrupted it, or `null`. */
function errorOf(body: RequestBody): Error | null {
  let failure: Error | null = null;
  if (body.length !== 0)
    body.consume({
      onData: () => true,
      onEnd: () => undefined,
      onError: (error) => {
        failure = error;
      },
    });
  return failure;
}

/** Describes a request for transports that can't describe requests themselves. */
function asMade({ rawPath, query, host, headers }: UpstreamRequest): DescribedRequest {
  return { uri: query === null ? rawPath : `${rawPath}?${query}`, host, headers, decodesGzip: false };
}

/** A declared response with the length of its body, or -1 if the length is unknown. */
interface ReceivedResponse extends DeclaredResponse {
  readonly length: number;
}

/**
 * Converts a declared response to the response that a transport would receive. For some methods and statuses, there is no body (RFC 9112
 * §6.3).
 */
function asReceived(declared: DeclaredResponse, method: string, decodesGzip: boolean): ReceivedResponse {
  const { status, body } = declared;
  const headers = declared.headers.clone();
  const mayHaveBody = method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200;
  const isChunked = headers.has('transfer-encoding');
  if (body.length > 0 && status !== 204 && status >= 200 && !isChunked && !headers.has('content-length'))
    headers.set('content-length', String(body.length));
  if (!mayHaveBody) return { ...declared, headers, body: Buffer.alloc(0), length: 0 };
  // If the transport decodes the response, the declared body is the decoded content.
  const isDecoded = decodesGzip && body.length > 0 && isSameToken(headers.get('content-encoding') ?? '', 'gzip');
  if (isDecoded) {
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  return { ...declared, headers, length: isDecoded || isChunked ? -1 : body.length };
}

/** Passes the declared response to the sink. */
class DeclaredCall implements UpstreamCall {
  readonly #sink: UpstreamSink;
  readonly #body: Buffer;
  #over = false;

  constructor({ failure, status, headers, body, length }: ReceivedResponse, sink: UpstreamSink) {
    this.#sink = sink;
    this.#body = body;
    if (failure !== null) {
      this.#over = true;
      const [kind, message] = failures[failure];
      sink.onError(new UpstreamError(kind, message));
    } else if (sink.onHead(status, 'HTTP/1.1', headers, length)) this.resume();
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
