/** Evaluates the routes of a list while the first bytes of a connection arrive. */
import type { Socket } from 'node:net';
import { guarded, maxTimer, parseDuration, type DurationValue, type JsonArray } from '@sluice/base';
import { Peek, undecided, type FirstBytes } from '@sluice/http-app';
import type { Context } from '@sluice/registry';
import type { Layer4Connection } from '../connection/connection.ts';
import type { RouteStep } from '../connection/steps.ts';
import type { Layer4Next, Verdict } from '../contracts.ts';
import { matchLayer4Sets } from './matching.ts';
import { provisionLayer4Route, type Layer4Route } from './route.ts';

/** Maximum number of bytes to read for route matching, as in Caddy's layer 4 plugin. */
export const maxMatchedBytes = 16 * 1024;

const defaultTimeout = 3000;
const nothing = Buffer.alloc(0);

/** The routes of a layer 4 server, a subroute or a listener wrapper. */
export class Layer4Routes {
  readonly routes: readonly Layer4Route[];
  /** Maximum time for matching the routes of a connection, in milliseconds. */
  readonly timeout: number;

  constructor(routes: Iterable<Layer4Route>, timeout: number) {
    this.routes = [...routes];
    this.timeout = timeout;
  }

  /** Runs the matching routes in order. Calls `rest` if no route handles the connection. */
  enter(connection: Layer4Connection, rest: Layer4Next): void {
    const walk = new RouteWalk(this, connection, rest);
    connection.steps.current = walk;
    walk.advance();
  }
}

/** Provisions the routes of a module that has the options `routes` and `matching_timeout`. */
export async function provisionLayer4Routes(
  config: { readonly routes?: unknown; readonly matching_timeout?: DurationValue | null },
  context: Context,
): Promise<Layer4Routes> {
  const { items } = await context.list((config.routes ?? noRoutes) as JsonArray, provisionLayer4Route, 'routes');
  let timeout = 0;
  try {
    timeout = parseDuration(config.matching_timeout ?? 0);
  } catch (error) {
    throw context.error((error as Error).message, 'matching_timeout');
  }
  return new Layer4Routes(items, timeout > 0 ? timeout : defaultTimeout);
}

const noRoutes: JsonArray = Object.freeze([]);

/**
 * State of one connection in one route list. Routes are evaluated in order. If a route needs more bytes, the evaluation waits, so packet
 * boundaries never affect the selected route.
 */
class RouteWalk implements RouteStep, FirstBytes {
  readonly outer: RouteStep | null;
  readonly #list: Layer4Routes;
  readonly #connection: Layer4Connection;
  readonly #rest: Layer4Next;
  #index = 0;
  #peek: Peek | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** The selected route; `null` if no route matches. */
  #chosen: Layer4Route | null = null;
  #waits: Promise<boolean> | null = null;

  constructor(list: Layer4Routes, connection: Layer4Connection, rest: Layer4Next) {
    this.outer = connection.steps.current;
    this.#list = list;
    this.#connection = connection;
    this.#rest = rest;
  }

  /** Evaluates the routes, starting with the current one. The first evaluation has no bytes. */
  advance(): void {
    const verdict = this.#ask(nothing, 0);
    if (verdict === null) this.#await();
    else if (this.#waits === null) this.#go();
    else this.#wait();
  }

  passed(): void {
    this.#index++;
    this.advance();
  }

  /** Returns true if a route matches, and false if none matches. Returns `null` while a route is undecided. */
  #ask(bytes: Buffer, end: number): Verdict {
    const { routes } = this.#list;
    for (; this.#index < routes.length; this.#index++) {
      const route = routes[this.#index] as Layer4Route;
      const matched = matchLayer4Sets(route.sets, this.#connection, bytes, end);
      if (matched === null) return null;
      if (matched === false) continue;
      this.#chosen = route;
      if (matched !== true) this.#waits = matched;
      return true;
    }
    this.#chosen = null;
    return false;
  }

  #await(): void {
    const connection = this.#connection;
    const { socket } = connection;
    if (connection.closed) return;
    if (this.#timer === null) {
      this.#timer = setTimeout(
        guarded(connection, () => this.#expire()),
        Math.min(this.#list.timeout, maxTimer),
      ).unref();
      socket.once('close', this.#stop);
    }
    this.#peek = new Peek(socket as Socket, this);
    this.#peek.start();
  }

  look(bytes: Buffer, end: number): number {
    const verdict = this.#ask(bytes, end);
    if (verdict !== null) return 0;
    if (end >= maxMatchedBytes) {
      this.#connection.warn('cannot match connection: its first bytes are inconclusive');
      this.#connection.close();
    }
    return undecided;
  }

  decided(): void {
    this.#peek = null;
    if (this.#waits === null) this.#go();
    else this.#wait();
  }

  /** Waits for an asynchronous matcher of the current route. Reads no data in the meantime. */
  #wait(): void {
    const waits = this.#waits as Promise<boolean>;
    this.#waits = null;
    waits.then(
      guarded(this.#connection, (matched: boolean) => {
        if (this.#connection.closed) return;
        if (matched) this.#go();
        else this.passed();
      }),
      (error: unknown) => this.#connection.fail(error),
    );
  }

  #go(): void {
    this.#stop();
    const connection = this.#connection;
    const route = this.#chosen;
    if (route === null) {
      connection.steps.current = this.outer;
      this.#rest(connection);
      return;
    }
    connection.steps.current = this;
    if (this.outer === null) connection.countFor(route.count);
    route.run(connection);
  }

  #expire(): void {
    this.#timer = null;
    this.#peek?.stop();
    this.#connection.warn('cannot match connection: matching timed out');
    this.#connection.close();
  }

  readonly #stop = (): void => {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#connection.socket.off('close', this.#stop);
  };
}
