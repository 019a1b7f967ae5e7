/** Hosts that are taken for part of a wildcard and are not: the name above it, and names of more labels. */
import { isArray, isObject, own } from '@sluice/base';
import type { DeadRoute } from './reach/dead.ts';
import type { RouteModel } from './model.ts';

/** Whether a route is never run as it names a host that the wildcard around it does not hold. */
export function missesWildcard({ route, by }: DeadRoute): boolean {
  const wildcards = hostsOf(by).filter((host) => host.startsWith('*.'));
  return hostsOf(route).some((host) => wildcards.some((wildcard) => isNear(host, wildcard.slice(1))));
}

/** Whether a host is the domain of a wildcard, or of more labels within it. */
function isNear(host: string, suffix: string): boolean {
  return `.${host}`.endsWith(suffix);
}

/** All hosts that a route matches by name, in lower case. */
export function hostsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const hosts = isObject(set) ? own(set, 'host') : undefined;
    return isArray(hosts) ? hosts.filter((host) => typeof host === 'string').map((host) => host.toLowerCase()) : [];
  });
}
