/** Finds hosts that users may mistakenly expect a wildcard to match: the parent domain, and names with more labels. */
import { isArray, isObject, own } from '@sluice/base';
import type { DeadRoute } from './reach/dead.ts';
import type { RouteModel } from './model.ts';

/** Reports whether a route is unreachable because the enclosing wildcard does not match its host. */
export function missesWildcard({ route, by }: DeadRoute): boolean {
  const wildcards = hostsOf(by).filter((host) => host.startsWith('*.'));
  return hostsOf(route).some((host) => wildcards.some((wildcard) => isNear(host, wildcard.slice(1))));
}

/** Reports whether a host is the parent domain of a wildcard, or has more labels than the wildcard matches. */
function isNear(host: string, suffix: string): boolean {
  return `.${host}`.endsWith(suffix);
}

/** Returns all host names in the matchers of a route, in lowercase. */
export function hostsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const hosts = isObject(set) ? own(set, 'host') : undefined;
    return isArray(hosts) ? hosts.filter((host) => typeof host === 'string').map((host) => host.toLowerCase()) : [];
  });
}
