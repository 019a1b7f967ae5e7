/** Client for requests to the Gateway, and an upstream that responds to them. */
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Request timeout, in milliseconds. */
const timeout = 5000;
/** Delay between two attempts of {@link GatewayClient.until}, in milliseconds. */
const pollDelay = 2;

export interface Answer {
  /** Response status, or 0 if the request failed. */
  readonly status: number;
  readonly version: string;
  readonly body: string;
}

export class GatewayClient {
  readonly #address: string;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(address: string, port: number) {
    this.#address = address;
    this.#port = port;
  }

  get(host: string): Promise<Answer> {
    return new Promise((resolve) => {
      const failed = (): void => {
        resolve({ status: 0, version: '', body: '' });
      };
      const options = { host: this.#address, port: this.#port, agent: this.#agent, headers: { host }, timeout };
      const sent = get(options, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('error', failed).on('end', () => {
          resolve({ status: response.statusCode ?? 0, version: String(response.headers['x-version'] ?? ''), body });
        });
      });
      sent.on('error', failed).on('timeout', () => sent.destroy());
    });
  }

  /** Repeats a request until the response is as expected. Returns the elapsed time in milliseconds. */
  async until(host: string, isExpected: (answer: Answer) => boolean, limit = 300_000): Promise<number> {
    const began = performance.now();
    for (;;) {
      const answer = await this.get(host);
      const time = performance.now() - began;
      if (isExpected(answer)) return time;
      if (time > limit) throw new Error(`${host} responded with ${JSON.stringify(answer)} for ${limit} ms`);
      await sleep(pollDelay);
    }
  }
}

/** Starts an upstream that responds with a fixed text. Returns its port. */
export async function startUpstream(address: string, text: string): Promise<number> {
  const server = createServer((_request, response) => {
    response.end(text);
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
