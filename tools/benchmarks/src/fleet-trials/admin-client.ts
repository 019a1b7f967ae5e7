/** Sends requests to fleet members, each on a separate connection, because members are killed and stopped. */
import { request } from 'node:http';

export interface AdminResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds. */
  readonly timeout?: number;
}

/** Sends one request. Rejects with the connection's error or after a timeout. */
export function ask(
  port: number,
  { method = 'GET', path, body, headers = {}, timeout = 30_000 }: Asked,
): Promise<AdminResponse> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const json =
      body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    const call = request({ host: '127.0.0.1', port, method, path, agent: false, headers: { ...json, ...headers } });
    const late = setTimeout(() => call.destroy(new Error(`no response within ${timeout} ms`)), timeout);
    const fail = (error: Error): void => {
      clearTimeout(late);
      reject(error);
    };
    call.on('error', fail);
    call.on('response', (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (part: string) => (received += part));
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(late);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received });
      });
    });
    call.end(text);
  });
}

/** Returns the configuration revision in a response, or `null` if there is none. */
export function revisionIn({ headers }: AdminResponse): number | null {
  const value = headers['sluice-revision'];
  return typeof value === 'string' ? Number(value) : null;
}

/** Reports whether the connection was refused. In this case, the request was never sent. */
export function wasRefusedToConnect(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
}
