/** Inverse functions, which convert JSON back to Caddyfile lines. Their code is loaded on demand. */
import type { Contribution, Registry } from '@sluice/registry';
import { directives, globalOptions, moduleSyntaxes, type DirectiveContribution } from '../http/contributions.ts';
import { orderDirectives } from '../http/directive-order.ts';
import { orderedName } from '../http/ordered-name.ts';
import type { WriteDirective, WriteGlobalOption, WriteModule, WriteSequence, WriteSite } from '../inverse/written.ts';

/** Directive that may represent a part of the document. */
export interface Candidate<T = WriteDirective> {
  readonly name: string;
  /** Position in the directive order. Directives without a position come last. */
  readonly position: number;
  readonly write: T;
}

interface Invertible<T> extends Contribution {
  readonly load?: (() => Promise<T>) | undefined;
}

/** Finds the inverse functions that convert JSON back to Caddyfile lines. */
export class Inverses {
  readonly #registry: Registry;
  readonly #positions: ReadonlyMap<string, number>;

  /** `order` lists the directive names in route order, if this order differs from the default. */
  constructor(registry: Registry, order = defaultOrder(registry)) {
    this.#registry = registry;
    this.#positions = new Map(order.map((name, at) => [name, at]));
  }

  /** Returns the directives that may represent a handler. */
  candidates(handler: string): Promise<readonly Candidate[]> {
    const all = this.#directives.filter((each) => each.handler === handler);
    const sorted = all.toSorted((a, b) => (a.tried ?? 0) - (b.tried ?? 0));
    return this.#candidates(sorted.map(({ name, write }) => ({ name, load: write })));
  }

  /** Returns the directives that may represent several consecutive routes. */
  sequences(): Promise<readonly Candidate<WriteSequence>[]> {
    return this.#candidates(this.#directives.map(({ name, writeRoutes }) => ({ name, load: writeRoutes })));
  }

  /** Returns the function that writes a module in Caddyfile syntax. Returns `null` if there is none. */
  async module(id: string): Promise<WriteModule | null> {
    return (await this.#registry.contributions(moduleSyntaxes).get(id)?.write?.()) ?? null;
  }

  /** Returns the site directives that do not create routes, in registry order. */
  sites(): Promise<readonly Named<WriteSite>[]> {
    return loaded(this.#directives.map(({ name, writeSite }) => ({ name, load: writeSite })));
  }

  options(): Promise<readonly Named<WriteGlobalOption>[]> {
    const all = [...this.#registry.contributions(globalOptions).values()];
    return loaded(all.map(({ name, write }) => ({ name, load: write })));
  }

  get #directives(): DirectiveContribution[] {
    return [...this.#registry.contributions(directives).values()];
  }

  async #candidates<T>(all: readonly Invertible<T>[]): Promise<readonly Candidate<T>[]> {
    const position = (name: string): number => this.#positions.get(orderedName(name)) ?? Infinity;
    return (await loaded(all)).map(([name, write]) => ({ name, position: position(name), write }));
  }
}

type Named<T> = readonly [name: string, write: T];

async function loaded<T>(all: readonly Invertible<T>[]): Promise<readonly Named<T>[]> {
  const found = await Promise.all(all.map(async ({ name, load }) => [name, await load?.()] as const));
  return found.filter((each): each is [string, Awaited<T>] => each[1] !== undefined);
}

/** Returns the default order of directives, without the effect of the global option `order`. */
export function defaultOrder(registry: Registry): string[] {
  return orderDirectives(registry.contributions(directives).values());
}
