/** Three servers of one fleet, running as separate processes with one store. */
import { freePort } from '@sluice/testing';
import { send, type TestResponse } from '../support/server.ts';
import { Sandbox, until, type Started } from '../support/sandbox.ts';

/** Configuration path of the value that tests change. */
export const valuePath = 'config/apps/http/servers/s/routes/0/handle/0/body';

export class FleetServer {
  readonly name: string;
  readonly adminPort: number;
  readonly httpPort: number;
  readonly #sandbox = new Sandbox();
  /** Address of the store that the server uses at its next start. */
  address: string;
  #started: Started | null = null;

  private constructor(name: string, [adminPort, httpPort]: readonly [number, number], address: string) {
    this.name = name;
    this.adminPort = adminPort;
    this.httpPort = httpPort;
    this.address = address;
  }

  static async make(name: string, address: string): Promise<FleetServer> {
    return new FleetServer(name, [await freePort(), await freePort()], address);
  }

  /** Starts the server without waiting until it is ready. If `document` is given, the server creates a new fleet. */
  async start(document?: unknown): Promise<Started> {
    const config = document === undefined ? [] : ['--config', await this.#sandbox.write('fleet.config.json', document)];
    const args = ['run', '--workers', '1', '--fleet', this.address, '--fleet-member', this.name];
    const started = this.#sandbox.start([...args, ...config]);
    this.#started = started;
    return started;
  }

  /** Starts the server. Resolves when the server is ready. If `document` is given, the server creates a new fleet. */
  async run(document?: unknown): Promise<void> {
    const started = await this.start(document);
    await until(
      async () => {
        if (started.child.exitCode !== null) throw new Error(`${this.name} has ended:\n${started.stderr()}`);
        return (await this.serve().catch(() => null)) !== null;
      },
      `${this.name} serves`,
      60_000,
    );
  }

  /** Installs a module package in the configuration directory before the server starts. */
  async install(name: string, files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [file, content] of Object.entries(files))
      await this.#sandbox.write(`config/sluice/modules/node_modules/${name}/${file}`, content);
  }

  /** Directory that contains the saved configuration. */
  get configuration(): string {
    return this.#sandbox.configuration;
  }

  signal(name: NodeJS.Signals): void {
    this.#started?.child.kill(name);
  }

  /** Kills the process but keeps its saved files. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#started?.ended;
  }

  ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> {
    return send(this.adminPort, `/${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  async serve(): Promise<string> {
    return (await send(this.httpPort, '/')).text;
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse((await this.ask('GET', path)).text) as unknown;
  }

  log(): string {
    return this.#started?.stderr() ?? '';
  }

  remove(): Promise<void> {
    return this.#sandbox.remove();
  }
}

/** Returns the document of a fleet. It contains many routes, and overlays for each member, because all members run on one machine. */
export function documentOf(servers: readonly FleetServer[], routes: number): unknown {
  const says = (body: string, host?: string): unknown => ({
    ...(host === undefined ? {} : { match: [{ host: [host] }] }),
    handle: [{ handler: 'static_response', body }],
  });
  const overlays = servers.map(({ name, adminPort, httpPort }) => ({
    members: [name],
    merge: {
      admin: { listen: `127.0.0.1:${adminPort}` },
      apps: { http: { servers: { s: { listen: [`127.0.0.1:${httpPort}`] } } } },
    },
  }));
  const many = Array.from({ length: routes }, (_, i) => says(`site ${i}`, `site-${i}.test`));
  const s = { listen: [':1'], automatic_https: { disable: true }, routes: [says('first'), ...many] };
  return { admin: { fleet: { overlays } }, apps: { http: { servers: { s } } } };
}
