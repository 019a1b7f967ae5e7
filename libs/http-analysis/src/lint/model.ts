/** Model of routes for the lint checks: the requests that routes match, and the effects of their handlers. */
import type { ConfigPath, JsonObject } from '@sluice/base';
import type { HandlerFlow } from '@sluice/http-app';
import type { RequestSet } from './matcher-set.ts';

export interface RoutesModel {
  readonly path: ConfigPath;
  readonly routes: readonly RouteModel[];
}

/** A route list inside a handler. */
export interface NestedModel extends RoutesModel {
  readonly entry: 'request' | 'later';
}

export interface HandlerModel {
  /** Name within `http.handlers`. */
  readonly name: string;
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly flow: HandlerFlow;
  readonly lists: readonly NestedModel[];
}

export interface RouteModel {
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly group: string;
  readonly terminal: boolean;
  readonly sets: readonly RequestSet[];
  readonly handlers: readonly HandlerModel[];
}

export interface ServerModel {
  readonly name: string;
  readonly node: JsonObject;
  readonly path: ConfigPath;
  readonly routes: RoutesModel;
  readonly errors: RoutesModel;
  readonly named: ReadonlyMap<string, RouteModel>;
}
