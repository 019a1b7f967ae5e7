/** Sends an HTTP/2 request on an existing connection. */
import { connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { CaseRequest } from './cases.ts';

export interface Http2Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly trailers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request. The status is 0 if the stream or connection ends before a response arrives. */
export function askHttp2(socket: Socket, { method, target, headers, body, port }: CaseRequest): Promise<Http2Response> {
  const { Host: host = '127.0.0.1', ...rest } = headers;
  const session = connect(`http://${host}`, { createConnection: () => socket });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let response: Omit<Http2Response, 'body' | 'trailers'> = { status: 0, headers: {} };
    let trailers: Http2Response['trailers'] = {};
    const end = (): void => {
      session.destroy();
      resolve({ ...response, trailers, body: Buffer.concat(chunks) });
    };
    session.on('error', end);
    const stream = session.request({
      ':method': method,
      ':path': target,
      ':authority': host,
      ':scheme': port === 'tls' ? 'https' : 'http',
      ...rest,
    });
    stream.on('response', ({ ':status': status = 0, ...fields }) => (response = { status, headers: fields }));
    stream.on('trailers', (fields) => (trailers = fields));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', end);
    stream.end(body === 0 ? undefined : 'x'.repeat(body));
  });
}
