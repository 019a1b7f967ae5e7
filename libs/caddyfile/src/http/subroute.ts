/** Subroute handler, which runs a list of routes. */
import type { Json } from '@sluice/base';
import { asJson, moduleObject } from '../json.ts';
import type { RouteConfig } from './config-value.ts';

export function subrouteHandler(routes: readonly RouteConfig[]): Json {
  return moduleObject('handler', 'subroute', routes.length === 0 ? {} : { routes: asJson(routes) });
}
