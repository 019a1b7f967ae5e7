/**
 * A packaged server with the interface of `serve` of `@sluice/testing`. Its threads load the bundle, which takes a fifth of the time that
 * they need for the sources.
 */
import type { AdminTestRequest, AdminTestResponse } from '@sluice/testing';
import { Sandbox } from './sandbox.ts';
import { config, send, TestServer, type Ask, type TestResponse } from './server.ts';

/** A running server. Each test loads its own configuration. */
export class PackagedServer {
  readonly #sandbox: Sandbox;
  readonly #server: TestServer;

  private constructor(sandbox: Sandbox, server: TestServer) {
    this.#sandbox = sandbox;
    this.#server = server;
  }

  /** Starts the server without a route. Its HTTP server is named `s`. */
  static async start(): Promise<PackagedServer> {
    const sandbox = new Sandbox();
    return new PackagedServer(sandbox, await TestServer.run(sandbox, []));
  }

  /** Loads a configuration with the given routes. `admin` is added to the admin section. */
  async load(routes: readonly unknown[], admin: object = {}): Promise<void> {
    const { adminPort, httpPort } = this.#server;
    const document = config(adminPort, httpPort, routes) as { admin: object };
    const body = { ...document, admin: { ...document.admin, ...admin } };
    const { status, text } = await this.#server.admin('/load', { method: 'POST', body });
    if (status !== 200) throw new Error(text);
  }

  /** The active configuration. */
  async document(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.#server.admin('/config/')).text) as Record<string, unknown>;
  }

  request(path: string, ask: Ask = {}): Promise<TestResponse> {
    return this.#server.http(path, ask);
  }

  async admin(path: string, { json, body, ...ask }: AdminTestRequest = {}): Promise<AdminTestResponse> {
    const method = json === undefined && body === undefined ? 'GET' : 'POST';
    const sent = { ...(json === undefined ? {} : { body: json }), ...(body === undefined ? {} : { text: body }) };
    const response = await send(this.#server.adminPort, path, { method, ...ask, ...sent });
    return { ...response, json: (): unknown => JSON.parse(response.text) };
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#sandbox.remove();
  }
}
