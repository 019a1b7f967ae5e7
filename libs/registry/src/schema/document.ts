/**
 * JSON Schema (2020-12) of the entire configuration, including all registered modules. `sluice schema` and `GET /schema` return it for
 * completion and validation in editors.
 */
import { idKey, isArray, isObject, own, type Json, type JsonObject } from '@sluice/base';
import type { ModuleDescriptor } from '../modules/descriptor.ts';
import { moduleId } from '../modules/namespace.ts';
import type { Registry } from '../modules/registry.ts';
import type { ModuleReference } from './options.ts';
import { plain, referenceOf, tidySchema } from './tidy.ts';

const idSchema: JsonObject = {
  description: 'Unique ID of this object in the configuration. The admin API provides the object at /id/<id>.',
  type: ['string', 'number'],
};

const schemaSchema: JsonObject = {
  description: 'URL or path of the JSON schema for this file, for use by editors. Ignored by the server.',
  type: 'string',
};

/**
 * Generates the schema of all registered modules. The modules must have been loaded (`Registry.loadAll`).
 *
 * Each module is an entry in `$defs` under its ID. Options that host modules reference the entry of their namespace. `null` is omitted,
 * because it is equivalent to an absent option.
 */
export function configSchema(registry: Registry): JsonObject {
  return new DocumentSchema(registry).make();
}

class DocumentSchema {
  readonly #registry: Registry;
  readonly #definitions = new Map<string, JsonObject>();
  /** Keys that contain module names, by namespace. */
  readonly #nameKeys = new Map<string, Set<string>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  make(): JsonObject {
    const modules = this.#registry.list().map(({ descriptor }) => descriptor);
    const sections = [...this.#registry.sections()];
    for (const { config } of [...modules, ...sections.map(([, section]) => section)])
      this.#collectNameKeys(plain(config));
    for (const module of modules) this.#definitions.set(module.id, this.#moduleSchema(module));
    const properties: Record<string, Json> = {
      $schema: schemaSchema,
      [idKey]: idSchema,
      apps: this.#mapOf('', 'Map of app names to app configurations.'),
    };
    for (const [key, section] of sections) {
      this.#definitions.set(`section-${key}`, this.#moduleSchema(section));
      properties[key] = referenceTo(`section-${key}`, section.help);
    }
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Sluice configuration',
      type: 'object',
      properties,
      additionalProperties: false,
      $defs: Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  #collectNameKeys(schema: Json): void {
    if (isArray(schema)) for (const item of schema) this.#collectNameKeys(item);
    if (!isObject(schema)) return;
    const reference = referenceOf(schema);
    if (reference?.key !== undefined) {
      const keys = this.#nameKeys.get(reference.namespace) ?? new Set();
      this.#nameKeys.set(reference.namespace, keys.add(reference.key));
    }
    for (const value of Object.values(schema)) this.#collectNameKeys(value);
  }

  /** Returns the schema of a module's options. Includes the key that contains the module name, if there is one. */
  #moduleSchema(module: ModuleDescriptor): JsonObject {
    const schema = this.#expand(plain(module.config)) as JsonObject;
    const described: JsonObject = { title: module.id, ...schema, description: helpOf(module, schema) };
    const keys = this.#nameKeys.get(module.namespace);
    if (keys === undefined || own(schema, 'type') !== 'object') return described;
    const names = Object.fromEntries([...keys].map((key) => [key, { const: module.name }]));
    return { ...described, properties: { ...names, ...(own(schema, 'properties') as JsonObject | undefined) } };
  }

  /** Replaces module references with references to definitions. */
  #expand(schema: Json): Json {
    return tidySchema(schema, {
      reference: (reference, described) => this.#expandReference(reference, own(described, 'description')),
      id: idSchema,
      idInMaps: true,
    });
  }

  #expandReference(reference: ModuleReference, description: Json | undefined): JsonObject {
    const help = typeof description === 'string' ? description : '';
    if (reference.kind === 'map') return this.#mapOf(reference.namespace, help);
    if (reference.kind === 'sets')
      return describe({ type: 'array', items: this.#mapOf(reference.namespace, '') }, help);
    return this.#inlineOf(reference.namespace, reference.key ?? '', help);
  }

  /** Returns the schema of a map from module names to options. */
  #mapOf(namespace: string, help: string): JsonObject {
    const name = `${namespace === '' ? 'apps' : namespace}-map`;
    if (!this.#definitions.has(name)) {
      const modules = this.#registry.inNamespace(namespace).map((module) => [module.name, referenceTo(module.id, '')]);
      const properties = { [idKey]: idSchema, ...Object.fromEntries(modules) } as JsonObject;
      this.#definitions.set(name, { type: 'object', properties, additionalProperties: false });
    }
    return referenceTo(name, help);
  }

  #inlineOf(namespace: string, key: string, help: string): JsonObject {
    const name = `${namespace}-${key}`;
    if (!this.#definitions.has(name)) {
      const names = this.#registry.inNamespace(namespace).map((module) => module.name);
      const choice: JsonObject = { description: `Name of a module in ${namespace}.`, type: 'string' };
      const cases = names.map((each) => ({
        if: { properties: { [key]: { const: each } }, required: [key] },
        then: referenceTo(moduleId({ id: namespace }, each), ''),
      }));
      this.#definitions.set(name, {
        type: 'object',
        properties: { [key]: names.length === 0 ? choice : { ...choice, enum: names } },
        required: [key],
        ...(cases.length === 0 ? {} : { allOf: cases }),
      });
    }
    return referenceTo(name, help);
  }
}

/** Returns the module's help text. If the options are a list or a map, appends their help text. */
function helpOf({ help }: ModuleDescriptor, schema: JsonObject): string {
  const options = own(schema, 'description');
  return typeof options === 'string' && options !== help ? `${help} ${options}` : help;
}

function referenceTo(definition: string, help: string): JsonObject {
  const pointer = encodeURIComponent(definition.replaceAll('~', '~0').replaceAll('/', '~1'));
  return describe({ $ref: `#/$defs/${pointer}` }, help);
}

function describe(schema: JsonObject, help: string): JsonObject {
  return help === '' ? schema : { description: help, ...schema };
}
