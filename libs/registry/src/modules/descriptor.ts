/** What a module is: plain data, without side effects. */
import type { Static, TSchema } from 'typebox';
import type { Context } from './context.ts';
import { moduleId, type Namespace } from './namespace.ts';

const brand = Symbol.for('sluice.module');

/**
 * What running an instance does beyond what it is given, so that requests can be rehearsed (`sluice explain`):
 *
 * - `pure`: nothing, and its outcome depends on the request alone;
 * - `reads`: it looks at files or at what the server knows, and changes nothing;
 * - `consumes`: it counts or keeps something, such as whose turn it is;
 * - `outward`: it sends something.
 *
 * Modules of the last two need another form for rehearsals (`watched`), else a rehearsal ends there. What declares nothing
 * is `opaque`: it is not run.
 */
export type ModuleEffect = 'pure' | 'reads' | 'consumes' | 'outward' | 'opaque';

/** A module as the registry keeps it. */
export interface ModuleDescriptor<T = unknown> {
  /** Full id, such as `http.handlers.static_response`. */
  readonly id: string;
  /** Last label of the id, as configurations write it. */
  readonly name: string;
  /** Id of its namespace. */
  readonly namespace: string;
  /** One or two sentences for `sluice schema` and `list-modules`. */
  readonly help: string;
  /** JSON Schema of its options. */
  readonly config: TSchema;
  /** What running an instance does; absent: `opaque`. */
  readonly effect?: ModuleEffect;
  /** Makes an instance of checked options. Acquires through `context`, so that disposal is complete and in order. */
  readonly provision: (config: never, context: Context<never>) => T | Promise<T>;
}

/** The parts of a descriptor that a module author writes. */
export interface ModuleDefinition<T, S extends TSchema> {
  readonly name: string;
  readonly help: string;
  readonly config: S;
  /** What running an instance does, of handlers and matchers. Default `opaque`: rehearsals do not run it. */
  readonly effect?: ModuleEffect;
  provision(config: Static<S>, context: Context<T>): T | Promise<T>;
}

/** Makes the descriptor of a module of a namespace; its instance type is checked against the namespace's. */
export function defineModule<T, S extends TSchema>(
  of: Namespace<T>,
  definition: ModuleDefinition<T, S>,
): ModuleDescriptor<T> {
  const descriptor = {
    id: moduleId(of, definition.name),
    name: definition.name,
    namespace: of.id,
    help: definition.help,
    config: definition.config,
    effect: definition.effect ?? 'opaque',
    provision: definition.provision,
  };
  Object.defineProperty(descriptor, brand, { value: true });
  return Object.freeze(descriptor);
}

/** Tells a descriptor made by {@link defineModule}, of any copy of this package. */
export function isModuleDescriptor(value: unknown): value is ModuleDescriptor {
  return typeof value === 'object' && value !== null && brand in value;
}
