/** Finds the server in a configuration that receives the requests to an address. */
import { isArray, isObject, own, splitHostPort, type Json, type NetworkAddress } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';
import { addressesOf, httpPortOf, isPlain } from '../addresses.ts';
import { everyRoute } from '../every-route.ts';
import type { ServerModel } from '../model.ts';
import { hostsOf } from '../wildcard-hosts.ts';
import { serversOf } from '../servers.ts';
import type { Visit } from './visit.ts';

interface Door {
  readonly server: ServerModel;
  readonly address: NetworkAddress;
  readonly scheme: 'http' | 'https';
}

/** Returns the listeners of a configuration. They are computed once for all checks. */
export function networkOf(configuration: LintedConfiguration): Promise<Network> {
  return configuration.remember(readNetwork);
}

async function readNetwork(configuration: LintedConfiguration): Promise<Network> {
  return new Network(await serversOf(configuration), configuration.document);
}

class Network {
  readonly #byPort = new Map<number, Door[]>();
  readonly #httpPort: number;
  /** Servers whose hosts automatic HTTPS redirects even though no route does so. */
  readonly #redirecting: ServerModel[] = [];
  #redirected: ReadonlySet<string> | null = null;

  constructor(servers: readonly ServerModel[], document: Json) {
    this.#httpPort = httpPortOf(document);
    for (const server of servers) {
      const isWithoutTls = isPlain(server, document);
      for (const address of addressesOf(server) ?? []) {
        if (!address.network.startsWith('tcp')) continue;
        const port = address.startPort;
        const scheme = isWithoutTls || port === this.#httpPort ? 'http' : 'https';
        const there = this.#byPort.get(port);
        if (there === undefined) this.#byPort.set(port, [{ server, address, scheme }]);
        else there.push({ server, address, scheme });
        if (scheme === 'https' && port === 443 && redirects(server)) this.#redirecting.push(server);
      }
    }
  }

  /** Returns the port and scheme of each of the server's listeners. */
  doorsOf(server: ServerModel): readonly Pick<Visit, 'scheme' | 'port'>[] {
    return [...this.#byPort].flatMap(([port, doors]) =>
      doors.flatMap((door) => (door.server === server ? [{ scheme: door.scheme, port }] : [])),
    );
  }

  /** Returns the server that a client reaches when it follows a redirect from the server `from`. */
  serverFor(visit: Visit, from: ServerModel): ServerModel | null {
    const doors = this.#byPort.get(visit.port) ?? [];
    const [only] = doors;
    if (only === undefined || doors.length > 1 || only.scheme !== visit.scheme) return null;
    // A client of one server can reach another server on the same machine only if that server listens on all addresses.
    return only.server === from || isWildcard(only.address) ? only.server : null;
  }

  /** Reports whether automatic HTTPS redirects a request to HTTPS. */
  isForcedToHttps({ scheme, host, port }: Visit): boolean {
    if (scheme !== 'http' || port !== 80 || this.#httpPort !== 80 || this.#byPort.has(80)) return false;
    this.#redirected ??= new Set(this.#redirecting.flatMap((server) => everyRoute(server).flatMap(hostsOf)));
    return this.#redirected.has(host);
  }

  /**
   * Returns the server and port that a proxy on this machine reaches at a dial address. Returns `null` if the address belongs to none of
   * these servers.
   */
  serverAt(dial: string): { readonly server: ServerModel; readonly port: number } | null {
    if (!this.#byPort.has(Number(dial.slice(dial.lastIndexOf(':') + 1))) || /[{/]/.test(dial)) return null;
    const { host, port } = splitHostPort(dial);
    const doors = this.#byPort.get(Number(port)) ?? [];
    const [only] = doors;
    if (only === undefined || doors.length > 1 || only.scheme !== 'http') return null;
    const isSame = only.address.host !== '' && only.address.host === host;
    const isHere = isLoopback(host) && (isWildcard(only.address) || isLoopback(only.address.host));
    return isSame || isHere ? { server: only.server, port: Number(port) } : null;
  }
}

function isWildcard({ host }: NetworkAddress): boolean {
  return host === '' || host === '0.0.0.0' || host === '::';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '::1';
}

/** Reports whether automatic HTTPS redirects all hosts of a server. */
function redirects({ node }: ServerModel): boolean {
  const automatic = own(node, 'automatic_https');
  if (!isObject(automatic)) return true;
  const [disabled, noRedirects, skip] = ['disable', 'disable_redirects', 'skip'].map((key) => own(automatic, key));
  return disabled !== true && noRedirects !== true && !(isArray(skip) && skip.length > 0);
}

export type { Network };
