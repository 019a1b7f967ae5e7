/** A fleet server for tests, with the reconciler, membership and admin API routes in the test process. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { fleetHandle, type FleetHandle } from '@sluice/contracts';
import { Reconciler, noThreads, replaceAt, Runtime } from '@sluice/reconciler';
import { Membership, MemoryStore, type Head, type MemoryCluster } from '@sluice/fleet';
import {
  apps,
  defineModule,
  map,
  options,
  Registry,
  Type,
  type AdminHandler,
  type AdminOperations,
  type AdminResponse,
  type AdminRouter,
  type Token,
} from '@sluice/registry';
import { register } from '../../src/register.ts';

/** Response of an admin API route. */
export interface Said {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The parts of an HTTP response that routes use. */
class Response extends ServerResponse implements AdminResponse {
  said = '';

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  set(name: string, value: string): this {
    return this.setHeader(name, value);
  }

  type(type: string): this {
    return this.set('Content-Type', type);
  }

  json(value: unknown): this {
    return this.send(JSON.stringify(value));
  }

  send(body: string | Buffer): this {
    this.said = String(body);
    return this;
  }

  override write(chunk: string): boolean {
    this.said += chunk;
    return true;
  }
}

/** A fleet member. If no cluster is given, it is a server outside a fleet. */
export class Machine {
  readonly reconciler: Reconciler;
  readonly membership: Membership | null;
  /** Persisted positions. */
  readonly kept: Head[] = [];
  /** Loads the descriptions of the admin API routes. */
  described: () => Promise<AdminOperations> = async () => ({});
  readonly #routes = new Map<string, AdminHandler<never>>();
  #closed: Promise<void> | null = null;

  constructor(cluster: MemoryCluster | null, name: string) {
    const registry = new Registry().use(register).add(
      defineModule(apps, {
        name: 'app',
        help: 'Has values, of which none may be bad.',
        config: options({ values: map('Values.', Type.String()) }),
        provision({ values }, context) {
          if (Object.values(values ?? {}).includes(`bad for ${name}`)) throw context.error('it is bad', 'values');
          return {};
        },
      }),
    );
    const handle: FleetHandle = { membership: null, view: null };
    const services = new Map<Token<unknown>, unknown>([[fleetHandle, handle]]);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger, services });
    this.reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    this.membership =
      cluster === null
        ? null
        : new Membership({
            reconciler: this.reconciler,
            store: new MemoryStore(cluster),
            cluster: 'a cluster',
            name,
            labels: ['test'],
            version: '1.2.3',
            log: silentLogger,
            keep: async ({ head }) => void this.kept.push(head),
            view: (document) => document,
          });
    handle.membership = this.membership;
    const take =
      (method: string) =>
      (path: string, ...handlers: AdminHandler<never>[]): void => {
        for (const handler of handlers) this.#routes.set(`${method} ${path}`, handler);
      };
    const router: AdminRouter = {
      get: take('GET'),
      post: take('POST'),
      put: take('PUT'),
      patch: take('PATCH'),
      delete: take('DELETE'),
    };
    const raw = (): void => undefined;
    const describe = (load: () => Promise<AdminOperations>): void => void (this.described = load);
    const lazy = (): void => undefined;
    registry.hooks.adminRoutes.call({ router, raw, describe, lazy, server: this.reconciler });
  }

  get routes(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** Joins the fleet, or creates it with this machine's document. */
  async join(): Promise<this> {
    const { membership, reconciler } = this;
    if (membership === null) throw new Error('it is in no fleet');
    membership.attach('first');
    await reconciler.load({ apps: { app: { values: { n: '0' } } } }, { op: 'first' });
    membership.start(null);
    expect(await membership.waitFor(1, 10_000)).to.equal(true);
    return this;
  }

  set(value: string, op?: string): Promise<unknown> {
    const path = ['apps', 'app', 'values', 'n'];
    return this.reconciler.change(
      (document) => replaceAt(document, path, value),
      op === undefined ? { by: 'me' } : { by: 'me', op },
    );
  }

  get value(): Json | undefined {
    return this.reconciler.read(['apps', 'app', 'values', 'n']);
  }

  async ask(route: string, params: object = {}, query: Record<string, string> = {}): Promise<Said> {
    const response = new Response(new IncomingMessage(new Socket()));
    await this.#serve(route, response, { params, query });
    const body = response.said === '' ? null : (JSON.parse(response.said) as Json);
    return { status: response.statusCode, body, headers: response.getHeaders() };
  }

  /** Returns the first `count` events of an event stream route. */
  async events(route: string, count: number, meanwhile: () => Promise<unknown>): Promise<readonly string[]> {
    const response = new Response(new IncomingMessage(new Socket()));
    const served = Promise.resolve(this.#serve(route, response, { params: {}, query: {} })).catch(() => undefined);
    const events = (): string[] => response.said.split('\n\n').filter((event) => event !== '');
    await until(() => events().length >= 1);
    await meanwhile();
    await until(() => events().length >= count);
    response.emit('close');
    response.destroy();
    await served;
    return events();
  }

  #serve(route: string, response: AdminResponse, { params, query }: { params: object; query: object }): unknown {
    const [, path = ''] = route.split(' ');
    const request = Object.assign(new IncomingMessage(new Socket()), {
      ...{ params, query, path, originalUrl: path, by: 'me' },
      get: () => undefined,
    });
    const handler = this.#routes.get(route);
    if (handler === undefined) throw new Error(`there is no ${route}`);
    return handler(request as never, response, (error) => {
      throw error;
    });
  }

  /** Closes the machine. This function may be called more than once. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await this.membership?.close();
    await this.reconciler.close();
  }
}

/** The machines of a test. The test closes them at the end. */
export class Machines {
  readonly #all: Machine[] = [];

  /** Creates a machine that has not joined a fleet yet, or that is not a fleet member. */
  make(cluster: MemoryCluster | null, name: string): Machine {
    const machine = new Machine(cluster, name);
    this.#all.push(machine);
    return machine;
  }

  join(cluster: MemoryCluster, name: string): Promise<Machine> {
    return this.make(cluster, name).join();
  }

  /** Closes all machines. Tests must call this function at their end. */
  async close(): Promise<void> {
    for (const machine of this.#all.splice(0)) await machine.close();
  }
}

/** Polls until a condition is true. */
export async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 10));
}
