/** Host names of a route, collected from its matchers and those of its enclosing routes. */
import { isObject, type Json } from '@sluice/base';

export function namesHost(nodes: readonly Json[], host: string): boolean {
  return nodes.some((node) => setsOf(node).some((set) => hostsOf(set).some((name) => matches(name, host))));
}

function setsOf(node: Json): readonly Json[] {
  const sets = isObject(node) ? node['match'] : undefined;
  return Array.isArray(sets) ? (sets as readonly Json[]) : [];
}

function hostsOf(set: Json): readonly Json[] {
  const hosts = isObject(set) ? set['host'] : undefined;
  return Array.isArray(hosts) ? (hosts as readonly Json[]) : [];
}

function matches(name: Json, host: string): boolean {
  return typeof name === 'string' && name.length === host.length && name.toLowerCase() === host;
}
