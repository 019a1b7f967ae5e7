/** Hosts that users may wrongly expect a wildcard to include: the parent domain, and names with more labels. */
import { isArray, isObject, own } from '@sluice/base';
import type { DeadRoute } from './reach/dead.ts';
import type { RouteModel } from './model.ts';

/** Reports whether a route never runs because the enclosing wildcard does not include its host. */
export function missesWildcard({ route, by }: DeadRoute): boolean {
  const wildcards = hostsOf(by).filter((host) => host.startsWith('*.'));
  return hostsOf(route).some((host) => wildcards.some((wildcard) => isNear(host, wildcard.slice(1))));
}

/** Reports whether a host is the parent domain of a wildcard, or has additional labels below it. */
function isNear(host: string, suffix: string): boolean {
  return `.${host}`.endsWith(suffix);
}

/** Returns all hosts that a route matches by name, in lower case. */
export function hostsOf({ node }: RouteModel): readonly string[] {
  const match = own(node, 'match');
  return (isArray(match) ? match : []).flatMap((set) => {
    const hosts = isObject(set) ? own(set, 'host') : undefined;
    return isArray(hosts) ? hosts.filter((host) => typeof host === 'string').map((host) => host.toLowerCase()) : [];
  });
}
