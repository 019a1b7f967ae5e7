/** What is automatic about the HTTPS of one server: which names are its own, whether it speaks TLS, what is redirected. */
import {
  compileTemplate,
  isObject,
  isUnixNetwork,
  resolveGlobal,
  type Json,
  type JsonArray,
  type NetworkAddress,
  type Options,
} from '@sluice/registry';
import type { serverOptions } from '../server/options.ts';

/** Ports that mean something by themselves. */
export interface WellKnownPorts {
  readonly http: number;
  readonly https: number;
}

/** The decision for one server. */
export interface AutomaticHttps {
  /** A connection policy without conditions is added, as the server has none of its own. */
  readonly defaultPolicy: boolean;
  /** Names in host matchers of its routes, in lower case, but for those that are skipped. */
  readonly hosts: readonly string[];
  /** Those of them for which certificates are wanted. */
  readonly certificates: readonly string[];
  /** Obtain certificates also for names that have a loaded one. */
  readonly ignoreLoaded: boolean;
  /** Requests over HTTP are redirected. */
  readonly redirects: boolean;
}

type Config = Options<typeof serverOptions>;

/** The decision where nothing is automatic. */
export const noAutomaticHttps: AutomaticHttps = Object.freeze({
  defaultPolicy: false,
  hosts: [],
  certificates: [],
  ignoreLoaded: false,
  redirects: false,
});

/** Decides for a server with these options and addresses. */
export function decide(config: Config, addresses: readonly NetworkAddress[], ports: WellKnownPorts): AutomaticHttps {
  const options = config.automatic_https ?? {};
  const tcp = addresses.filter(({ network }) => !isUnixNetwork(network));
  if (options.disable === true || addresses.every((address) => isOnPort(address, ports.http))) return noAutomaticHttps;
  const hasPolicies = (config.tls_connection_policies as JsonArray | null | undefined)?.length ?? 0;
  const onlyHttps = tcp.length > 0 && addresses.every((address) => isOnPort(address, ports.https));
  const hosts = hostsOf((config.routes ?? []) as JsonArray).filter((host) => !(options.skip ?? []).includes(host));
  const certificates =
    options.disable_certificates === true
      ? []
      : hosts.filter((host) => !(options.skip_certificates ?? []).includes(host) && qualifies(host));
  const speaksTls = hasPolicies > 0 || onlyHttps || hosts.length > 0;
  return {
    defaultPolicy: hasPolicies === 0 && speaksTls,
    hosts,
    certificates,
    ignoreLoaded: options.ignore_loaded_certificates ?? false,
    redirects: speaksTls && options.disable_redirects !== true,
  };
}

/** Whether an address is on a port; a Unix socket is on none. */
export function isOnPort({ network, startPort }: NetworkAddress, port: number): boolean {
  return !isUnixNetwork(network) && startPort === port;
}

/** Names of the host matchers of routes; not of routes within routes. */
function hostsOf(routes: JsonArray): string[] {
  const hosts = new Set<string>();
  for (const route of routes) {
    const sets = isObject(route) ? route.match : null;
    if (!Array.isArray(sets)) continue;
    for (const set of sets as JsonArray) for (const host of textsAt(set, 'host')) hosts.add(host);
  }
  return [...hosts];
}

function textsAt(set: Json, key: string): string[] {
  const list = isObject(set) ? set[key] : null;
  if (!Array.isArray(list)) return [];
  return (list as JsonArray).flatMap((each) => (typeof each === 'string' ? [expand(each).toLowerCase()] : []));
}

function expand(text: string): string {
  return text.includes('{') ? compileTemplate<null>(text, resolveGlobal, 'empty').expand(null) : text;
}

const foreign = /[()[\]{}<> \t\n"\\!@#$%^&|;'+=,/?~`*]/;

/** Whether a host can have a certificate; the app `tls` looks again. */
function qualifies(host: string): boolean {
  const name = host.replace(/^(?:\*\.)+/, '');
  return name !== '' && !foreign.test(name);
}
