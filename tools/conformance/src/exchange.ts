/** Creates HTTP/1.1 exchanges from raw message bytes without a network connection. */
import { HeadParser } from '@sluice/http1';
import { BufferedBody, emptyBody, Exchange, type ConnectionInfo } from '@sluice/http-app';
import { connectionFacts, MemoryResponse } from '@sluice/testing';

/** A response that records whether its connection was aborted. */
export class CutResponse extends MemoryResponse {
  cut = false;
}

/** A request in the form sent on a connection. */
export interface Message {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

export function bytesOf({ method, target, host, headers, body }: Message): Buffer {
  const lines = Object.entries(headers).flatMap(([name, all]) => all.map((value) => `${name}: ${value}\r\n`));
  return Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n${body}`);
}

/** Creates an exchange by feeding a message to the server's parser as if it had arrived on a connection. */
export function exchangeOf(
  message: Message,
  connection: Partial<ConnectionInfo> = {},
): { readonly exchange: Exchange; readonly response: CutResponse } {
  const { body } = message;
  const head = bytesOf({ ...message, body: '' });
  const parser = new HeadParser(1 << 16);
  if (parser.feed(head, 0, head.length) !== head.length) throw new Error(`not a request: ${head.toString()}`);
  const response = new CutResponse();
  const parsed = {
    method: parser.method,
    rawPath: parser.rawPath,
    query: parser.query,
    target: parser.target ?? null,
    host: parser.host,
    headers: parser.headers.clone(),
    proto: 'HTTP/1.1',
  };
  const cut = (): void => {
    response.cut = true;
  };
  const facts: ConnectionInfo = { ...connectionFacts(cut), ...connection };
  const exchange = new Exchange(parsed, facts, response, body === '' ? emptyBody : new BufferedBody(Buffer.from(body)));
  return { exchange, response };
}
