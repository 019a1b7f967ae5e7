/** What a manifest says of modules, made from the modules themselves; `sluice manifest` writes it. */
import type { Json, JsonObject } from '@sluice/base';
import { plain, tidySchema, type Tidying } from './tidy.ts';
import type { Registry } from '../modules/registry.ts';

/** Places for modules stay as they are: which modules there are is known where the manifest is read. */
const tidying: Tidying = { reference: (_, schema) => schema, id: { type: ['string', 'number'] } };

/** The value of the key `modules` of a manifest: help and JSON Schema of every module of a registry, by id. */
export function describeModules(registry: Registry): JsonObject {
  const described = registry
    .list()
    .map(({ id, help, config }): [string, Json] => [id, { help, options: tidySchema(plain(config), tidying) }]);
  return Object.fromEntries(described);
}
