/** Servers of the `layer4` app, including routes that providers add. */
import { isObject, listAt, type Json, type JsonObject } from '@sluice/base';
import { addressesOf } from './server-addresses.ts';

interface MergedServer {
  /** True if a provider added the server, that is, the document doesn't contain it. */
  readonly isAdded: boolean;
  readonly options: JsonObject;
  readonly routes: Json[];
}

export class Layer4Servers {
  readonly #servers = new Map<string, MergedServer>();
  readonly #byAddress = new Map<string, string>();
  #isChanged = false;

  constructor(base: JsonObject) {
    for (const [name, server] of Object.entries(base)) this.#put(name, server, false);
  }

  /** Appends routes to the server that listens on one of the addresses. Adds a server if none listens there. */
  add(provider: string, servers: JsonObject): void {
    for (const [wanted, server] of Object.entries(servers)) {
      this.#isChanged = true;
      const known = addressesOf(server).map((address) => this.#byAddress.get(address));
      const name = known.find((each) => each !== undefined);
      const target = name === undefined ? undefined : this.#servers.get(name);
      if (target !== undefined) target.routes.push(...listAt(server, ['routes']));
      else this.#put(this.#servers.has(wanted) ? `${provider}_${wanted}` : wanted, server, true);
    }
  }

  /**
   * Removes added servers whose address belongs to an HTTP server and whose routes all match TLS connections. Passes their routes to
   * `take`, which can add them before the HTTP server.
   */
  moveTo(take: (address: string, routes: readonly Json[]) => boolean): void {
    for (const [name, { isAdded, options, routes }] of this.#servers) {
      const [address = ''] = addressesOf(options);
      if (isAdded && areForTls(routes) && take(address, routes)) this.#servers.delete(name);
    }
  }

  /** Returns all servers. Returns `null` if no provider added any. */
  servers(): JsonObject | null {
    if (!this.#isChanged || this.#servers.size === 0) return null;
    return Object.fromEntries([...this.#servers].map(([name, { options, routes }]) => [name, { ...options, routes }]));
  }

  #put(name: string, server: Json, isAdded: boolean): void {
    this.#servers.set(name, { isAdded, options: server as JsonObject, routes: [...listAt(server, ['routes'])] });
    for (const address of addressesOf(server)) if (!this.#byAddress.has(address)) this.#byAddress.set(address, name);
  }
}

/** Reports whether the list is not empty and all its routes match TLS connections. */
export function areForTls(routes: readonly Json[]): boolean {
  return routes.length > 0 && routes.every(matchesTls);
}

function matchesTls(route: Json): boolean {
  const matchers = listAt(route, ['match']);
  return matchers.length > 0 && matchers.every((each) => isObject(each) && 'tls' in each);
}
