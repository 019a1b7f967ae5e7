/** Reads lines back by themselves, so that what an inverse forgot is noticed where it stands. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { printLines } from './text.ts';
import type { Line } from '../inverse/written.ts';

/** The routes that lines make in a block `route`, or `null` where they can't be read. */
export async function routesOfLines(
  lines: readonly Line[],
  registry: Registry,
  file: string,
): Promise<readonly Json[] | null> {
  const text = printLines([{ words: [':80'], block: [{ words: ['route'], block: lines }] }]);
  try {
    const { config } = await adaptCaddyfile(text, registry, { file, environment: {} });
    const [outer] = listAt(config, ['apps', 'http', 'servers', 'srv0', 'routes']);
    const [handler] = listAt(outer, ['handle']);
    return listAt(handler, ['routes']);
  } catch {
    return null;
  }
}

/** The list at a path, empty where there is none. */
export function listAt(value: Json | undefined, path: readonly string[]): readonly Json[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

/** The object at a path, empty where there is none. */
export function objectAt(value: Json | undefined, path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** The value at a path. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}
