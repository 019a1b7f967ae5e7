/** Servers of the `layer4` app, with the routes that providers add. */
import { listAt, type Json, type JsonObject } from '@sluice/base';

interface MergedServer {
  readonly options: JsonObject;
  readonly routes: Json[];
}

export class Layer4Servers {
  readonly #servers = new Map<string, MergedServer>();
  readonly #byAddress = new Map<string, string>();
  #isChanged = false;

  constructor(base: JsonObject) {
    for (const [name, server] of Object.entries(base)) this.#put(name, server);
  }

  /** Appends routes to the server that listens on one of the addresses. If none does, the server is added. */
  add(provider: string, servers: JsonObject): void {
    for (const [wanted, server] of Object.entries(servers)) {
      this.#isChanged = true;
      const known = addressesOf(server).map((address) => this.#byAddress.get(address));
      const name = known.find((each) => each !== undefined);
      const target = name === undefined ? undefined : this.#servers.get(name);
      if (target !== undefined) target.routes.push(...listAt(server, ['routes']));
      else this.#put(this.#servers.has(wanted) ? `${provider}_${wanted}` : wanted, server);
    }
  }

  /** Returns all servers, or `null` if no provider added any. */
  servers(): JsonObject | null {
    if (!this.#isChanged) return null;
    return Object.fromEntries([...this.#servers].map(([name, { options, routes }]) => [name, { ...options, routes }]));
  }

  #put(name: string, server: Json): void {
    this.#servers.set(name, { options: server as JsonObject, routes: [...listAt(server, ['routes'])] });
    for (const address of addressesOf(server)) if (!this.#byAddress.has(address)) this.#byAddress.set(address, name);
  }
}

export function addressesOf(server: Json): readonly string[] {
  return listAt(server, ['listen']).filter((each) => typeof each === 'string');
}
