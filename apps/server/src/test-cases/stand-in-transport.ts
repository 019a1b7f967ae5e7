/** Mock transport for proxies. Receives the proxy's requests and sends the declared responses. No request leaves the process. */
import { duplexPair } from 'node:stream';
import { guarded, maxTimer, taskOf } from '@sluice/base';
import {
  UpstreamError,
  type DialAddress,
  type Transport,
  type UpstreamCall,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import type { Play, Plays, SentRequest } from './play.ts';
import type { StandInResponse } from './stand-in-options.ts';

const task = taskOf('test');

export class StandInTransport implements Transport {
  readonly lengthBuffer?: number;
  readonly usesTls: boolean;
  readonly #plays: Plays;

  constructor({ lengthBuffer, usesTls }: Transport, plays: Plays) {
    if (lengthBuffer !== undefined) this.lengthBuffer = lengthBuffer;
    this.usesTls = usesTls === true;
    this.#plays = plays;
  }

  send(address: DialAddress, request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const play = request.exchange === null ? null : this.#plays.of(request.exchange);
    return new StandInCall(play, address, request, sink);
  }
}

/** A proxied request in progress. The mock response starts once the request has been read completely. */
class StandInCall implements UpstreamCall {
  readonly #request: UpstreamRequest;
  readonly #sink: UpstreamSink;
  #timer: NodeJS.Timeout | null = null;
  #over = false;
  /** Function that sends the rest of the response after a pause, or `null`. */
  #rest: (() => void) | null = null;

  constructor(play: Play | null, address: DialAddress, request: UpstreamRequest, sink: UpstreamSink) {
    this.#request = request;
    this.#sink = sink;
    const response = play?.responseOf(address.text) ?? null;
    const sent = sentRequest(address, request);
    if (response === null) play?.missing.push(address.hostPort);
    else play?.sent.push(sent);
    this.#after(0, () => {
      if (response === null) this.#fail(new UpstreamError('dial', `no simulated upstream for ${address.hostPort}`));
      else if (response.error === 'refused')
        this.#fail(new UpstreamError('dial', `${address.hostPort} refused the connection, as the test case specifies`));
      else this.#read(sent, response);
    });
  }

  resume(): void {
    const rest = this.#rest;
    this.#rest = null;
    rest?.();
  }

  abort(): void {
    this.#over = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Reads the request body, then sends the mock response. */
  #read(sent: SentRequest, response: StandInResponse): void {
    const { body } = this.#request;
    const chunks: Buffer[] = [];
    const respond = (): void => {
      sent.body = Buffer.concat(chunks);
      this.#after(response.delay, () => this.#respond(response));
    };
    if (this.#request.upgrade !== '' || body.length === 0) {
      respond();
      return;
    }
    body.consume({
      onData: (chunk) => {
        chunks.push(Buffer.from(chunk));
        return true;
      },
      onEnd: respond,
      onError: (error) => this.#fail(error),
    });
  }

  #respond({ status, headers, body, error }: StandInResponse): void {
    if (error === 'reset')
      this.#fail(new UpstreamError('closed', 'the upstream reset the connection, as the test case specifies'));
    else if (error === 'timeout')
      this.#fail(new UpstreamError('timeout', 'the upstream timed out, as the test case specifies'));
    else if (status === 101 && this.#request.upgrade !== '') this.#switch(headers);
    else {
      const length = error === 'cut' ? -1 : Number(headerOf(headers, 'content-length') ?? body.length);
      const fields = fieldsOf(headers);
      this.#rest = () => this.#send(body, error === 'cut');
      if (this.#sink.onHead(status, 'HTTP/1.1', fields, length)) this.resume();
    }
  }

  #send(body: Buffer, cut: boolean): void {
    if (this.#over) return;
    this.#rest = () => {
      if (this.#over) return;
      if (cut)
        this.#fail(
          new UpstreamError(
            'closed',
            'the upstream closed the connection during the response, as the test case specifies',
          ),
        );
      else {
        this.#over = true;
        this.#sink.onEnd(null);
      }
    };
    if (body.length === 0 || this.#sink.onData(body)) this.resume();
  }

  /** Responds with a protocol upgrade. Afterward, echoes all data. */
  #switch(headers: StandInResponse['headers']): void {
    this.#over = true;
    const [proxy, upstream] = duplexPair();
    upstream.pipe(upstream);
    this.#sink.onUpgrade(fieldsOf(headers), proxy, Buffer.alloc(0));
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.onError(error);
  }

  #after(delay: number, run: () => void): void {
    this.#timer = setTimeout(
      guarded(task, () => {
        if (!this.#over) run();
      }),
      Math.min(delay, maxTimer),
    );
  }
}

function sentRequest(
  { hostPort, text }: DialAddress,
  { method, rawPath, query, host, headers, upgrade }: UpstreamRequest,
): SentRequest {
  return {
    upstream: hostPort,
    key: text,
    method,
    uri: query === null ? rawPath : `${rawPath}?${query}`,
    host: host === '' ? hostPort : host,
    // Add these headers, as a real transport does.
    headers: upgrade === '' ? [...headers] : [...headers, ['connection', 'Upgrade'], ['upgrade', upgrade]],
    body: null,
  };
}

function fieldsOf(headers: StandInResponse['headers']): HeaderMap {
  const fields = new HeaderMap();
  for (const [name, value] of headers) fields.append(name, value);
  return fields;
}

function headerOf(headers: StandInResponse['headers'], name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}
