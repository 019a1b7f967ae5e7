/** The code of inverses, loaded when a document needs it. */
import type { Registry } from '@sluice/registry';
import { directiveInverses, directives, moduleInverses } from '../http/contributions.ts';
import { orderDirectives } from '../http/directive-order.ts';
import { orderedName } from '../http/ordered-name.ts';
import type { WriteDirective, WriteModule } from '../inverse/written.ts';

/** A directive that may say a handler. */
export interface Candidate {
  readonly name: string;
  /** Where its routes stand among those of others; without an order at the end. */
  readonly position: number;
  readonly write: WriteDirective;
}

/** Finds inverses. */
export class Inverses {
  readonly #registry: Registry;
  readonly #positions: ReadonlyMap<string, number>;

  constructor(registry: Registry) {
    this.#registry = registry;
    const order = orderDirectives(registry.contributions(directives).values());
    this.#positions = new Map(order.map((name, at) => [name, at]));
  }

  /** The directives that may say a handler, the one that says most of it first. */
  async candidates(handler: string): Promise<readonly Candidate[]> {
    const found = [...this.#registry.contributions(directiveInverses).values()].filter(
      (each) => each.handler === handler,
    );
    return Promise.all(
      found.map(async ({ name, load }): Promise<Candidate> => {
        return { name, position: this.#positions.get(orderedName(name)) ?? Infinity, write: await load() };
      }),
    );
  }

  /** The inverse of a module's syntax. */
  async module(id: string): Promise<WriteModule | null> {
    const found = this.#registry.contributions(moduleInverses).get(id);
    return found === undefined ? null : found.load();
  }
}
