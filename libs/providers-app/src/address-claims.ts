/**
 * Decides which of two apps serves an address that both use. Earlier claims win. Claims of the document come first, followed by those of
 * providers in order.
 */
import { listAt, objectAt, type JsonObject } from '@sluice/base';
import type { Fragment } from './contract.ts';
import { areForTls } from './layer4-servers.ts';
import { addressesOf } from './server-addresses.ts';

type AppName = 'http' | 'layer4';

interface Claim {
  readonly app: AppName;
  readonly owner: string;
}

const documentOwner = 'the written configuration';

export class AddressClaims {
  readonly #claims = new Map<string, Claim>();

  constructor(document: JsonObject) {
    for (const app of ['http', 'layer4'] as const)
      for (const server of Object.values(objectAt(document, ['apps', app, 'servers'])))
        this.#claim(addressesOf(server), { app, owner: documentOwner });
  }

  /** Claims the addresses of the servers in a fragment. If the other app already serves an address, claims nothing and returns the reason. */
  add(provider: string, { object, config }: Fragment): string | null {
    const wanted: [addresses: readonly string[], app: AppName][] = [];
    for (const app of ['http', 'layer4'] as const)
      for (const server of Object.values(objectAt(config, ['apps', app, 'servers']))) {
        const addresses = addressesOf(server);
        // Layer 4 routes for TLS connections can share an address with an HTTP server. They are added to that server.
        const isForTls = app === 'layer4' && areForTls(listAt(server, ['routes']));
        if (isForTls || this.#isKnown(addresses, app)) continue;
        for (const address of addresses) {
          const other = this.#claims.get(address);
          if (other !== undefined) return `${address} is already used by the ${other.app} app for ${other.owner}`;
        }
        wanted.push([addresses, app]);
      }
    for (const [addresses, app] of wanted) this.#claim(addresses, { app, owner: `${object} of provider ${provider}` });
    return null;
  }

  #isKnown(addresses: readonly string[], app: AppName): boolean {
    return addresses.some((address) => this.#claims.get(address)?.app === app);
  }

  #claim(addresses: readonly string[], claim: Claim): void {
    for (const address of addresses) if (!this.#claims.has(address)) this.#claims.set(address, claim);
  }
}
