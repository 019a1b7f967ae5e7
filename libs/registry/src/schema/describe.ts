/** Generates manifest entries for modules and commands. `sluice manifest` writes them. */
import type { Json, JsonObject } from '@sluice/base';
import { plain, tidySchema, type Tidying } from './tidy.ts';
import type { Registry } from '../modules/registry.ts';

/** Schema options that keep module references, because the reader of the manifest determines which modules exist. */
const tidying: Tidying = { reference: (_, schema) => schema, id: { type: ['string', 'number'] } };

/**
 * Returns the `modules` value of a manifest: help and JSON Schema of all modules, by ID. The modules must have been loaded
 * (`Registry.loadAll`).
 */
export function describeModules(registry: Registry): JsonObject {
  const described = registry
    .list()
    .map(({ id, descriptor: { help, config } }): [string, Json] => [
      id,
      { help, options: tidySchema(plain(config), tidying) },
    ]);
  return Object.fromEntries(described);
}

/** Returns the `commands` value of a manifest: help of all contributed commands, by name. */
export function describeCommands(registry: Registry): JsonObject {
  const described: [string, Json][] = [];
  registry.hooks.commands.call({ add: ({ name, summary }) => void described.push([name, { help: summary }]) });
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)));
}
