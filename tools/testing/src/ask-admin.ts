/** Sends requests to the admin API of a server in the test process. */
import { request } from 'node:http';

export interface AdminTestRequest {
  /** Request method. Default: `GET`, or `POST` if there is a body. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Request body that is sent verbatim. Use it instead of `json`. */
  readonly body?: string;
}

export interface AdminTestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parses the response body as JSON. Throws if it is not valid JSON. */
  json(): unknown;
}

/**
 * Sends one request on a new connection. `fetch` cannot be used, because it sends the same header fields as a browser, and the API rejects
 * them.
 */
export function askAdmin(port: number, path: string, ask: AdminTestRequest): Promise<AdminTestResponse> {
  const body = ask.json === undefined ? ask.body : JSON.stringify(ask.json);
  const method = ask.method ?? (body === undefined ? 'GET' : 'POST');
  const headers = { ...(ask.json === undefined ? {} : { 'content-type': 'application/json' }), ...ask.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      const json = (): unknown => JSON.parse(text);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
