/**
 * A router that keeps what is added to it: which routes there are is known, and what is wrong with them refused, when the
 * server starts; Express is loaded when the first request comes.
 */
import { parse } from 'path-to-regexp';
import { SluiceError } from '@sluice/base';
import type { AdminHandler, AdminRouter } from '@sluice/registry';

/** The methods that routes are made for. */
type Method = keyof AdminRouter;

/** A route as Express would keep it in the `stack` of its router; one without a `route` is for every request. */
export interface RecordedRoute {
  readonly route?: { readonly path: unknown; readonly stack: readonly { readonly method?: string }[] };
}

/** What was added, in order. */
export class RouteRecorder implements AdminRouter {
  readonly stack: RecordedRoute[] = [];
  readonly #calls: ((router: AdminRouter) => void)[] = [];

  get(path: string, ...handlers: AdminHandler<never>[]): this {
    return this.#add('get', path, handlers);
  }

  post(path: string, ...handlers: AdminHandler<never>[]): this {
    return this.#add('post', path, handlers);
  }

  put(path: string, ...handlers: AdminHandler<never>[]): this {
    return this.#add('put', path, handlers);
  }

  patch(path: string, ...handlers: AdminHandler<never>[]): this {
    return this.#add('patch', path, handlers);
  }

  delete(path: string, ...handlers: AdminHandler<never>[]): this {
    return this.#add('delete', path, handlers);
  }

  // What follows is not of the routers that packages are given. One that has it from Express's documentation gets a
  // message that says so: the table of routes refuses it.

  /** For every request. */
  use(): this {
    this.stack.push({});
    return this;
  }

  /** For every method. */
  all(path: unknown): this {
    this.stack.push({ route: { path, stack: [{}] } });
    return this;
  }

  /** For a method of its own. */
  head(path: unknown): this {
    this.stack.push({ route: { path, stack: [{ method: 'head' }] } });
    return this;
  }

  /** Likewise. */
  options(path: unknown): this {
    this.stack.push({ route: { path, stack: [{ method: 'options' }] } });
    return this;
  }

  /** Adds all of it to a router of Express. */
  replay(router: AdminRouter): void {
    for (const call of this.#calls) call(router);
  }

  /** Throws what Express throws, when Express would. */
  #add(method: Method, path: string, handlers: readonly AdminHandler<never>[]): this {
    if (typeof path === 'string') parse(path);
    const all = handlers.flat() as AdminHandler[];
    if (all.length === 0) throw refused('is required');
    if (all.some((handler) => typeof handler !== 'function')) throw refused('must be a function');
    this.stack.push({ route: { path, stack: all.map(() => ({ method })) } });
    this.#calls.push((router) => void router[method](path, ...all));
    return this;
  }
}

/** In the words of Express. */
function refused(problem: string): SluiceError {
  return new SluiceError('ERR_ADMIN_ROUTE', `argument handler ${problem}`);
}
