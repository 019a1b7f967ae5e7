/** Module descriptors: plain data without side effects. */
import type { Static, TSchema } from 'typebox';
import type { Context } from './context.ts';
import { moduleId, type Namespace } from './namespace.ts';

const brand = Symbol.for('sluice.module');

/**
 * Side effects of running an instance, for dry runs of requests (`sluice explain`):
 *
 * - `pure`: none; the outcome depends only on the request.
 * - `reads`: reads files or server state, and changes nothing.
 * - `consumes`: changes server state, such as a counter or a round-robin position.
 * - `outward`: sends something.
 * - `opaque`: unknown; dry runs do not run the module.
 *
 * A module with `consumes` or `outward` needs a variant for dry runs (`watched`). If there is no variant, a dry run stops at the module.
 */
export type ModuleEffect = 'pure' | 'reads' | 'consumes' | 'outward' | 'opaque';

/** A registered module. */
export interface ModuleDescriptor<T = unknown> {
  /** Full module ID, such as `http.handlers.static_response`. */
  readonly id: string;
  /** Module name, which is the last label of the ID, as used in configurations. */
  readonly name: string;
  /** Namespace id. */
  readonly namespace: string;
  /** Description for `sluice schema` and `list-modules`, in one or two sentences. */
  readonly help: string;
  /** JSON Schema of the options. */
  readonly config: TSchema;
  /** Side effects of running an instance. Default: `opaque`. */
  readonly effect?: ModuleEffect;
  /**
   * Creates an instance from validated options. It must acquire resources through `context`, so that all resources are released in the
   * right order.
   */
  readonly provision: (config: never, context: Context<never>) => T | Promise<T>;
}

/** Parts of a module descriptor that a module author writes. */
export interface ModuleDefinition<T, S extends TSchema> {
  readonly name: string;
  readonly help: string;
  readonly config: S;
  /** Side effects of running a handler or matcher. Default: `opaque`, which means that dry runs don't run it. */
  readonly effect?: ModuleEffect;
  provision(config: Static<S>, context: Context<T>): T | Promise<T>;
}

/** Creates a module descriptor. The instance type must match the namespace. */
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

/** Reports whether a value was created by {@link defineModule}, even in another loaded copy of this package. */
export function isModuleDescriptor(value: unknown): value is ModuleDescriptor {
  return typeof value === 'object' && value !== null && brand in value;
}
