/** A minimal browser for tests. It stores cookies and requests pages. */
import type { TestRequest, TestResponse, TestServer } from '@sluice/testing';

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #server: TestServer;
  readonly #host: string;

  constructor(server: TestServer, host = 'localhost') {
    this.#server = server;
    this.#host = host;
  }

  async visit(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    more: TestRequest = {},
  ): Promise<TestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await this.#server.request({
      path,
      host: this.#host,
      headers: { accept: 'text/html,*/*;q=0.8', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...more,
    });
    for (const line of response.headers.all('set-cookie')) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('; Max-Age=0;')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Returns a copy with the same cookies, for example to visit another host. */
  copy(host = this.#host, server = this.#server): Visitor {
    const other = new Visitor(server, host);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }
}

export function locationOf(response: TestResponse): string {
  return response.headers.get('location') ?? '';
}

/** Returns the path and query of a callback URL. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
