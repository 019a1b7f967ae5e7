/** Finds the routes that contain a given part of the configuration. */
import { isObject, listAt, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

export interface EnclosingRoute {
  readonly route: JsonObject;
  readonly list: readonly Json[];
  readonly index: number;
  /** Index of the handler within the route. */
  readonly handler: number;
}

/** Returns the routes that contain the given path, outermost route first. */
export function enclosingRoutes(configuration: LintedConfiguration, path: ConfigPath): EnclosingRoute[] {
  const found: EnclosingRoute[] = [];
  for (let i = 0; i + 3 < path.length; i++) {
    if (path[i] !== 'routes' || path[i + 2] !== 'handle') continue;
    const list = listAt(configuration.valueAt(path.slice(0, i)), ['routes']);
    const index = Number(path[i + 1]);
    const route = list[index];
    if (isObject(route)) found.push({ route, list, index, handler: Number(path[i + 3]) });
  }
  return found;
}

/** Returns an option as a string. Returns an empty string if the option is missing. */
export function textOf(node: Json, key: string): string {
  const value = isObject(node) ? own(node, key) : undefined;
  return typeof value === 'string' ? value : '';
}
