/** What a manifest says of modules and commands, made from these themselves; `sluice manifest` writes it. */
import type { Json, JsonObject } from '@sluice/base';
import { plain, tidySchema, type Tidying } from './tidy.ts';
import type { Registry } from '../modules/registry.ts';

/** Places for modules stay as they are: which modules there are is known where the manifest is read. */
const tidying: Tidying = { reference: (_, schema) => schema, id: { type: ['string', 'number'] } };

/** The value of the key `modules` of a manifest: help and JSON Schema of every module of a registry, by id. They have to be loaded (`Registry.loadAll`). */
export function describeModules(registry: Registry): JsonObject {
  const described = registry
    .list()
    .map(({ id, descriptor: { help, config } }): [string, Json] => [
      id,
      { help, options: tidySchema(plain(config), tidying) },
    ]);
  return Object.fromEntries(described);
}

/** The value of the key `commands` of a manifest: help of every command that the packages of a registry bring, by name. */
export function describeCommands(registry: Registry): JsonObject {
  const described: [string, Json][] = [];
  registry.hooks.commands.call({ add: ({ name, summary }) => void described.push([name, { help: summary }]) });
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
}
