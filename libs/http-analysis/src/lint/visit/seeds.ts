/** Requests that are likely to get to a handler, by the hosts and paths of the routes around it. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import type { HandlerModel, RouteModel, RoutesModel, ServerModel } from '../model.ts';

/** A handler with examples of the hosts and paths that lead to it. Whether they do is found out by following them. */
export interface Seed {
  readonly handler: HandlerModel;
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
}

/** At most that many hosts, and as many paths. */
const maxExamples = 3;

/** The handlers of a server that `wanted` selects. */
export function seedsOf(server: ServerModel, wanted: (handler: HandlerModel) => boolean): readonly Seed[] {
  const found: Seed[] = [];
  const visitList = ({ routes }: RoutesModel, hosts: readonly string[], paths: readonly string[]): void => {
    for (const route of routes) {
      const [namedHosts, namedPaths] = [patternsOf(route, 'host'), patternsOf(route, 'path')];
      const hostsHere = namedHosts.length > 0 ? namedHosts.map(exampleOfHost) : hosts;
      const pathsHere = namedPaths.length > 0 ? namedPaths.map(exampleOfPath) : paths;
      for (const handler of route.handlers) {
        if (wanted(handler)) found.push({ handler, hosts: hostsHere, paths: pathsHere });
        for (const list of handler.lists) if (list.entry === 'request') visitList(list, hostsHere, pathsHere);
      }
    }
  };
  visitList(server.routes, [], ['/', '/x']);
  return found;
}

function patternsOf({ node }: RouteModel, name: string): readonly string[] {
  const match = own(node, 'match');
  const sets: readonly Json[] = isArray(match) ? match : [];
  return sets
    .flatMap((set) => {
      const patterns = isObject(set) ? own(set, name) : undefined;
      return isArray(patterns) ? patterns.filter((each) => typeof each === 'string') : [];
    })
    .filter((each) => !each.includes('{'))
    .slice(0, maxExamples);
}

function exampleOfHost(pattern: string): string {
  return pattern.toLowerCase().replaceAll('*', 'x');
}

function exampleOfPath(pattern: string): string {
  const path = pattern.replaceAll('*', 'x');
  return path.startsWith('/') ? path : `/${path}`;
}
