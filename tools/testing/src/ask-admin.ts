/** Requests to the admin API of a server in the test process. */
import { request } from 'node:http';

/** A request to the admin API. */
export interface AdminTestRequest {
  /** `GET` by default, or `POST` with a body. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Body that is sent unchanged, instead of `json`. */
  readonly body?: string;
}

/** A response of the admin API. */
export interface AdminTestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parses the body as JSON. Throws if it is not JSON. */
  json(): unknown;
}

/** Sends one request on its own connection. `fetch` is not used, because the API rejects the fields that it sends, like a browser. */
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
