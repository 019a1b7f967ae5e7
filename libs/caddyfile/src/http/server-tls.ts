/** Builds a server's TLS connection policies, and the list of hosts that automatic HTTPS skips. */
import { caddyfileError } from '../errors.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Server } from './server-model.ts';
import type { SiteAddress } from './site-address.ts';
import type { Site } from './site.ts';
import { joinConnectionPolicies } from './connection-policies.ts';
import { tlsPiles, type ConnectionPolicy } from './tls-values.ts';

/** Collects the TLS settings of the sites in a server. */
export class ServerTls {
  readonly #server: Server;
  readonly #options: GlobalOptions;
  readonly #plainSites = new Set<Site>();
  #qualifies = false;
  #hasCatchAll = false;
  #addedAutomatically: boolean;

  constructor(server: Server, options: GlobalOptions) {
    this.#server = server;
    this.#options = options;
    this.#addedAutomatically = server.automaticHttps?.disable !== true;
  }

  addSite(site: Site): void {
    const policies = site.pile<ConnectionPolicy>(tlsPiles.connectionPolicy);
    for (const policy of policies) this.#addPolicy(policy, site);
    const { httpPort, httpsPort } = this.#options;
    const otherThanHttp = usesOtherPort(this.#server, httpPort);
    for (const { scheme, host, port } of site.addresses) {
      if (otherThanHttp && scheme === 'http' && host !== '') this.#skip(host);
      const skipped = this.#server.automaticHttps?.skip?.includes(host) ?? false;
      const enabled = policies.length > 0 || (host !== '' && !skipped);
      if (scheme === 'https' || (scheme !== 'http' && port !== httpPort && enabled)) this.#qualifies = true;
      this.#addedAutomatically &&= port === httpsPort || (port !== httpPort && host !== '');
    }
  }

  #addPolicy(policy: ConnectionPolicy, site: Site): void {
    const defaultSni = this.#options.get<string>('default_sni') ?? '';
    const fallbackSni = this.#options.get<string>('fallback_sni') ?? '';
    const hosts = site.hosts();
    const changed: ConnectionPolicy = carryOrigin(policy, { ...policy });
    const isDefault = defaultSni !== '' && hosts.includes(defaultSni);
    const isFallback = fallbackSni !== '' && hosts.includes(fallbackSni) && !isDefault;
    if ((hosts.length === 0 || isDefault) && defaultSni !== '') changed.default_sni = defaultSni;
    if ((hosts.length === 0 || isFallback) && fallbackSni !== '') changed.fallback_sni = fallbackSni;
    // The policy also applies to clients that send no SNI.
    if (isDefault || isFallback) hosts.push('');
    if (hosts.length > 0) changed.match = { sni: hosts.sort() };
    const { match: _match, ...settings } = changed;
    const forced = site.values(tlsPiles.forceAutomate).length > 0;
    const isPlain = Object.keys(settings).length === 0;
    if (isPlain) this.#plainSites.add(site);
    if (isPlain && !forced) return;
    this.#server.policies.push(changed);
    this.#hasCatchAll = hosts.length === 0;
  }

  #skip(host: string): void {
    const settings = (this.#server.automaticHttps ??= {});
    settings.skip ??= [];
    if (!settings.skip.includes(host)) settings.skip.push(host);
  }

  /** Adds a policy for all other names if necessary, and merges equal policies. */
  finish(sites: readonly Site[]): void {
    const server = this.#server;
    refuseMixedSchemes(server, sites, this.#options);
    const defaultSni = this.#options.get<string>('default_sni') ?? '';
    const fallbackSni = this.#options.get<string>('fallback_sni') ?? '';
    const named = defaultSni !== '' || fallbackSni !== '';
    if (this.#qualifies && !this.#hasCatchAll && (server.policies.length > 0 || !this.#addedAutomatically || named)) {
      const rest: ConnectionPolicy = {};
      if (defaultSni !== '') rest.default_sni = defaultSni;
      if (fallbackSni !== '') rest.fallback_sni = fallbackSni;
      server.policies.push(rest);
    }
    server.policies = joinConnectionPolicies(server.policies, sites, this.#plainSites);
  }
}

export function usesOtherPort({ listeners }: Pick<Server, 'listeners'>, port: string): boolean {
  return listeners.some(({ address }) => !address.endsWith(`:${port}`));
}

/** Throws if sites use both HTTP and HTTPS on the same listener. */
function refuseMixedSchemes(server: Server, sites: readonly Site[], { httpPort, httpsPort }: GlobalOptions): void {
  const listeners = `[${server.listeners.map(({ address }) => address).join(' ')}]`;
  const keys = sites.flatMap(({ block }) => block.keys);
  const placeOf = ({ original }: SiteAddress): CaddyfileToken | undefined => keys.find(({ text }) => text === original);
  let speaks = '';
  const say = (scheme: string, other: string, address: SiteAddress): void => {
    if (speaks === other) {
      const hint = address.scheme === '' ? ` (try specifying ${other.toLowerCase()}:// in the address)` : '';
      throw caddyfileError(
        `server listening on ${listeners} is configured for ${other} and cannot natively multiplex HTTP and HTTPS: ${address.original}${hint}`,
        undefined,
        placeOf(address),
      );
    }
    if (scheme === 'HTTP' && server.policies.length > 0) {
      throw caddyfileError(
        `server listening on ${listeners} is HTTP, but attempts to configure TLS connection policies`,
        undefined,
        placeOf(address),
      );
    }
    speaks = scheme;
  };
  for (const address of sites.flatMap((site) => site.addresses)) {
    const { scheme, host, port } = address;
    if (scheme === 'http' || port === httpPort) say('HTTP', 'HTTPS', address);
    else if (scheme === 'https' || port === httpsPort || server.policies.length > 0) say('HTTPS', 'HTTP', address);
    else if (host === '') say('HTTP', 'HTTPS', address);
  }
}
