/** Example requests that probably reach a handler. They are based on the hosts and paths of the enclosing routes. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import type { HandlerModel, RouteModel, RoutesModel, ServerModel } from '../model.ts';

/**
 * A handler, with example hosts and paths of requests that could reach it. The checks trace such requests to find out whether the handler
 * is reachable.
 */
export interface Seed {
  readonly handler: HandlerModel;
  readonly hosts: readonly string[];
  /** True if the hosts are examples of names that a wildcard matches. */
  readonly isWildcard: boolean;
  readonly paths: readonly string[];
}

/** Maximum number of example hosts, and of example paths. */
const maxExamples = 3;

/** Returns the handlers of a server that `wanted` selects, with example requests. */
export function seedsOf(server: ServerModel, wanted: (handler: HandlerModel) => boolean): readonly Seed[] {
  const found: Seed[] = [];
  const around: RouteModel[] = [];
  const visitList = ({ routes }: RoutesModel): void => {
    for (const route of routes) {
      around.push(route);
      for (const handler of route.handlers) {
        if (wanted(handler)) found.push(seedOf(handler, around));
        for (const list of handler.lists) if (list.entry === 'request') visitList(list);
      }
      around.pop();
    }
  };
  visitList(server.routes);
  return found;
}

/** Returns the examples for a handler. They come from the innermost route with hosts and the innermost route with paths. */
function seedOf(handler: HandlerModel, around: readonly RouteModel[]): Seed {
  const innermost = (name: string): readonly string[] => {
    for (const route of around.toReversed()) {
      const patterns = patternsOf(route, name);
      if (patterns.length > 0) return patterns;
    }
    return [];
  };
  const [hosts, paths] = [innermost('host'), innermost('path')];
  return {
    handler,
    hosts: hosts.map(exampleOfHost),
    isWildcard: hosts.length === maxExamples || hosts.some(isPattern),
    paths: paths.length === 0 ? ['/x'] : paths.map(exampleOfPath),
  };
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

function isPattern(host: string): boolean {
  return host.includes('*');
}

function exampleOfHost(pattern: string): string {
  return pattern.toLowerCase().replaceAll('*', 'x');
}

function exampleOfPath(pattern: string): string {
  const path = pattern.replaceAll('*', 'x');
  return path.startsWith('/') ? path : `/${path}`;
}
