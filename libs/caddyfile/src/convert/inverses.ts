/** The code of inverses, loaded when a document needs it. */
import type { Contribution, ContributionPoint, Registry } from '@sluice/registry';
import { directiveInverses, directives, moduleInverses, sequenceInverses } from '../http/contributions.ts';
import { orderDirectives } from '../http/directive-order.ts';
import { orderedName } from '../http/ordered-name.ts';
import type { WriteDirective, WriteModule, WriteSequence } from '../inverse/written.ts';

/** A directive that may say something. */
export interface Candidate<T = WriteDirective> {
  readonly name: string;
  /** Where its routes stand among those of others; without an order at the end. */
  readonly position: number;
  readonly write: T;
}

/** A contribution whose code is loaded. */
interface Loadable<T> extends Contribution {
  readonly load: () => Promise<T>;
}

/** Finds inverses. */
export class Inverses {
  readonly #registry: Registry;
  readonly #positions: ReadonlyMap<string, number>;

  /** `order`: the names of directives in the order of their routes, if it is not the usual one. */
  constructor(registry: Registry, order = usualOrder(registry)) {
    this.#registry = registry;
    this.#positions = new Map(order.map((name, at) => [name, at]));
  }

  /** The directives that may say a handler. */
  candidates(handler: string): Promise<readonly Candidate[]> {
    const all = this.#registry.contributions(directiveInverses).values();
    return this.#loaded([...all].filter((each) => each.handler === handler));
  }

  /** The directives that may say several routes at once. */
  sequences(): Promise<readonly Candidate<WriteSequence>[]> {
    return this.#loaded([...this.#registry.contributions(sequenceInverses).values()]);
  }

  /** The inverse of a module's syntax. */
  async module(id: string): Promise<WriteModule | null> {
    const found = this.#registry.contributions(moduleInverses).get(id);
    return found === undefined ? null : found.load();
  }

  /** Those of a point, in the order of the registry. */
  async all<T>(point: ContributionPoint<Loadable<T>>): Promise<readonly (readonly [string, T])[]> {
    const found = [...this.#registry.contributions(point).values()];
    return Promise.all(found.map(async ({ name, load }) => [name, await load()] as const));
  }

  #loaded<T>(found: readonly Loadable<T>[]): Promise<readonly Candidate<T>[]> {
    return Promise.all(
      found.map(async ({ name, load }) => {
        return { name, position: this.#positions.get(orderedName(name)) ?? Infinity, write: await load() };
      }),
    );
  }
}

/** The order of directives without the global option that changes it. */
export function usualOrder(registry: Registry): string[] {
  return orderDirectives(registry.contributions(directives).values());
}
