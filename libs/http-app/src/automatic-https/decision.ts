/** Determines automatic HTTPS for one server: its host names, TLS, and redirects. */
import { isUnixNetwork, type JsonArray, type NetworkAddress } from '@sluice/base';
import { NameSet, type WantedCertificates } from '@sluice/contracts';
import type { Options } from '@sluice/registry';
import type { serverOptions } from '../options.ts';
import { NamedHosts } from './named-hosts.ts';

/** HTTP and HTTPS ports. They determine which servers use automatic HTTPS. */
export interface WellKnownPorts {
  readonly http: number;
  readonly https: number;
}

export interface AutomaticHttps {
  /** True if the server has no connection policies. In this case, automatic HTTPS adds a policy that matches every connection. */
  readonly defaultPolicy: boolean;
  /** Lowercase host names from the host matchers of the server's routes, excluding skipped names. */
  readonly hosts: NameSet;
  /** Names that need certificates. The object changes only when the names change, so callers can compare it by identity. */
  readonly certificates: WantedCertificates;
  /** True to redirect HTTP requests to HTTPS. */
  readonly redirects: boolean;
  /** Inputs of this decision. The decision is reused while the inputs are unchanged. */
  readonly madeOf: { readonly options: AutomaticHttpsOptions; readonly named: NamedHosts } | null;
}

type Config = Options<typeof serverOptions>;
type AutomaticHttpsOptions = NonNullable<Config['automatic_https']>;

const noNames = NameSet.of([]);
const noOptions: AutomaticHttpsOptions = Object.freeze({});

/** Decision for servers with automatic HTTPS disabled. */
export const noAutomaticHttps: AutomaticHttps = Object.freeze({
  defaultPolicy: false,
  hosts: noNames,
  certificates: { names: noNames, ignoreLoaded: false },
  redirects: false,
  madeOf: null,
});

/** Determines automatic HTTPS for one server. The cost is proportional to the changes since the previous decision. */
export function decide(
  config: Config,
  addresses: readonly NetworkAddress[],
  ports: WellKnownPorts,
  previous: AutomaticHttps | null = null,
): AutomaticHttps {
  const options = config.automatic_https ?? noOptions;
  const tcp = addresses.filter(({ network }) => !isUnixNetwork(network));
  if (options.disable === true || addresses.every((address) => isOnPort(address, ports.http))) return noAutomaticHttps;
  const hasPolicies = (config.tls_connection_policies as JsonArray | null | undefined)?.length ?? 0;
  const onlyHttps = tcp.length > 0 && addresses.every((address) => isOnPort(address, ports.https));
  const before = previous?.madeOf?.options === options ? previous : null;
  const named = NamedHosts.of(config.routes ?? [], previous?.madeOf?.named ?? null);
  const { hosts, certificates } = selected(options, named, before);
  const speaksTls = hasPolicies > 0 || onlyHttps || hosts.size > 0;
  return {
    defaultPolicy: hasPolicies === 0 && speaksTls,
    hosts,
    certificates,
    redirects: speaksTls && options.disable_redirects !== true,
    madeOf: { options, named },
  };
}

/** Excludes skipped names, and names for which no certificate can be issued. `before` is the previous result for the same options. */
function selected(
  options: AutomaticHttpsOptions,
  named: NamedHosts,
  before: AutomaticHttps | null,
): Pick<AutomaticHttps, 'hosts' | 'certificates'> {
  const skipped = new Set(options.skip);
  const { names } = named;
  const hosts =
    skipped.size === 0
      ? names
      : names.filtered(
          (host) => !skipped.has(host),
          before?.madeOf == null ? null : { of: before.madeOf.named.names, is: before.hosts },
        );
  if (before !== null && before.hosts === hosts) return before;
  const uncertified = new Set(options.skip_certificates);
  const certified =
    options.disable_certificates === true
      ? noNames
      : hosts.filtered(
          (host) => !uncertified.has(host) && qualifies(host),
          before === null ? null : { of: before.hosts, is: before.certificates.names },
        );
  const same = before !== null && before.certificates.names === certified;
  const ignoreLoaded = options.ignore_loaded_certificates ?? false;
  return { hosts, certificates: same ? before.certificates : { names: certified, ignoreLoaded } };
}

/** Reports whether an address uses a port. Returns false for Unix sockets. */
export function isOnPort({ network, startPort }: NetworkAddress, port: number): boolean {
  return !isUnixNetwork(network) && startPort === port;
}

const foreign = /[()[\]{}<> \t\n"\\!@#$%^&|;'+=,/?~`*]/;

function qualifies(host: string): boolean {
  const name = host.replace(/^(?:\*\.)+/, '');
  return name !== '' && !foreign.test(name);
}
