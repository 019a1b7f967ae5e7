/** HTTP client for test cases. Sends each request on a separate connection and records the response. */
import { request as requestHttp1, type IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { Duplex } from 'node:stream';

/** Test request to send. Header names are in lower case. */
export interface ClientRequest {
  readonly protocol: string;
  readonly scheme: string;
  readonly method: string;
  readonly host: string;
  /** Request target, exactly as it is sent. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
}

export interface ClientResponse {
  readonly status: number;
  /** Header fields with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Reason why the response is incomplete, or `null` if it is complete. */
  readonly failure: string | null;
  /** True if the server closed the connection, as opposed to a client timeout. */
  readonly cut: boolean;
}

/** Timeout for the response, in milliseconds. */
const timeout = 30_000;

/** Sends a test request and waits for the end of the response. Never rejects. */
export function sendRequest(connection: Duplex, request: ClientRequest): Promise<ClientResponse> {
  return new Promise((resolve) => {
    const taken = new TakenResponse();
    const end: End = (failure, cut = failure !== null): void => {
      clearTimeout(timer);
      resolve(taken.end(failure, cut));
      close();
    };
    const timer = setTimeout(() => end(`no complete response within ${timeout / 1000} s`, false), timeout);
    connection.on('error', () => undefined);
    let close = (): void => void connection.destroy();
    try {
      // Close the HTTP/2 session explicitly, because it does not detect that its connection was lost.
      if (request.protocol === 'HTTP/2.0') close = sendOverHttp2(connection, request, taken, end);
      else sendOverHttp1(connection, request, taken, end);
    } catch (error) {
      end(`cannot send the request: ${(error as Error).message}`, false);
    }
  });
}

/** Callback that ends the request. `cut` is true if the connection was closed. */
type End = (failure: string | null, cut?: boolean) => void;

/** Records a response. */
class TakenResponse {
  #status = 0;
  #headers: (readonly [name: string, value: string])[] = [];
  readonly #chunks: Buffer[] = [];

  head(status: number, headers: (readonly [name: string, value: string])[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  end(failure: string | null, cut: boolean): ClientResponse {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks), failure, cut };
  }
}

function sendOverHttp1(connection: Duplex, request: ClientRequest, taken: TakenResponse, end: End): void {
  const { method, target, host, headers, body, protocol } = request;
  if (protocol === 'HTTP/1.0') writeAsHttp10(connection);
  const sending = requestHttp1({ createConnection: () => connection, method, path: target, setHost: false });
  sending.on('error', (error) => end(`the connection was closed without a response (${error.message})`));
  // Remove this header, because only the headers in the test case must be sent.
  sending.removeHeader('connection');
  if (host !== '') sending.setHeader('Host', host);
  for (const [name, values] of linesByName(headers)) sending.setHeader(name, values);
  const takeHead = ({ statusCode = 0, rawHeaders }: IncomingMessage): void =>
    taken.head(statusCode, pairsOf(rawHeaders));
  sending.on('response', (response) => {
    takeHead(response);
    response.on('data', (chunk: Buffer) => taken.data(chunk));
    response.on('end', () => end(null));
    response.on('error', () => end('the connection was closed during the response'));
  });
  sending.on('upgrade', (response) => {
    takeHead(response);
    end(null);
  });
  sending.end(body ?? undefined);
}

function linesByName(headers: ClientRequest['headers']): ReadonlyMap<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const known = lines.get(name);
    if (known === undefined) lines.set(name, [value]);
    else known.push(value);
  }
  return lines;
}

/** Sends a request as HTTP/1.0. Rewrites the request line that Node.js's HTTP/1.1 client writes. */
function writeAsHttp10(connection: Duplex): void {
  const write = connection.write.bind(connection) as (chunk: unknown, ...more: unknown[]) => boolean;
  let first = true;
  connection.write = (chunk: unknown, ...more: unknown[]): boolean => {
    const text = first && typeof chunk === 'string' ? chunk.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n') : chunk;
    first = false;
    return write(text, ...more);
  };
}

function pairsOf(raw: readonly string[]): (readonly [name: string, value: string])[] {
  const pairs: (readonly [name: string, value: string])[] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? '']);
  return pairs;
}

/** Sends a request over HTTP/2. Returns a function that closes the session. */
function sendOverHttp2(connection: Duplex, request: ClientRequest, taken: TakenResponse, end: End): () => void {
  const { scheme, method, target, host, headers, body } = request;
  const session = connectHttp2(`${scheme}://${host === '' ? 'localhost' : host}`, {
    createConnection: () => connection,
  });
  session.on('error', (error) => end(`the connection was closed without a response (${error.message})`));
  const stream = session.request(
    {
      ':method': method,
      ':path': target,
      ':scheme': scheme,
      ':authority': host,
      ...Object.fromEntries(linesByName(headers)),
    },
    { endStream: body === null },
  );
  let complete = false;
  stream.on('response', (received) => {
    const status = Number(received[':status']);
    taken.head(
      status,
      Object.entries(received).flatMap(([name, value]) =>
        name.startsWith(':') ? [] : [value ?? []].flat().map((line) => [name, String(line)] as const),
      ),
    );
  });
  stream.on('data', (chunk: Buffer) => taken.data(chunk));
  stream.on('end', () => (complete = stream.rstCode === 0));
  stream.on('error', () => undefined);
  stream.on('close', () =>
    end(complete && stream.rstCode === 0 ? null : 'the stream was reset before the response was complete'),
  );
  if (body !== null) stream.end(body);
  return () => session.destroy();
}
