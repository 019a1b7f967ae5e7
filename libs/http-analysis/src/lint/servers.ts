/** Model of the servers in a configuration, for lint checks. */
import { isObject, own, type ConfigPath, type JsonObject } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { LintedConfiguration } from '@sluice/registry';
import type { RoutesModel, ServerModel } from './model.ts';
import { Place, PlacedList, PlacedRoute } from './placed-model.ts';
import { readerOf, type RouteReader } from './route-facts.ts';

/** Returns the servers of a configuration. They are computed once for all checks. */
export function serversOf(configuration: LintedConfiguration): Promise<readonly ServerModel[]> {
  return configuration.remember(readServers);
}

async function readServers({ registry, document }: LintedConfiguration): Promise<readonly ServerModel[]> {
  const reader = await readerOf(registry);
  const path = ['apps', 'http', 'servers'];
  const servers = getAt(document, path);
  if (!isObject(servers)) return [];
  return Object.entries(servers).flatMap(([name, node]) =>
    isObject(node) ? [serverModel(reader, name, node, [...path, name])] : [],
  );
}

function serverModel(reader: RouteReader, name: string, node: JsonObject, path: ConfigPath): ServerModel {
  const list = (at: ConfigPath): RoutesModel =>
    new PlacedList({ routes: reader.list(node, at), entry: 'request' }, new Place(null, [...path, ...at]));
  const named = own(node, 'named_routes');
  const routes = Object.entries(isObject(named) ? named : {}).flatMap(([key, route]) => {
    if (!isObject(route)) return [];
    return [[key, new PlacedRoute(reader.route(route), new Place(null, [...path, 'named_routes', key]))] as const];
  });
  return { name, node, path, routes: list(['routes']), errors: list(['errors', 'routes']), named: new Map(routes) };
}
