/** Code of Caddyfile contributions. The code is loaded when a file needs it. */
import type { Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import {
  directives,
  globalOptions,
  moduleSyntaxes,
  type Directive,
  type GlobalOption,
  type FinishConfig,
  type ModuleSyntax,
} from './http/contributions.ts';
import { pushTo } from './collections.ts';
import type { GlobalOptions } from './http/global-options.ts';
import { nearest } from './nearest.ts';
import type { Dispenser } from './dispenser/dispenser.ts';
import type { CaddyfileToken } from './token.ts';

/** Thrown if the required code has not been loaded yet. The caller loads the code and repeats the operation. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(what: string, load: () => Promise<void>) {
    super(`${what} is not loaded`);
    this.name = 'NotLoaded';
    this.load = load;
  }
}

export class Loaded {
  readonly registry: Registry;
  readonly #directives = new Map<string, Directive>();
  readonly #options = new Map<string, GlobalOption>();
  readonly #finishers = new Map<string, FinishConfig>();
  /** Global options whose `finish` functions process the data of the file's directives. */
  readonly #finishedBy = new Set<string>();
  readonly #syntaxes = new Map<string, ModuleSyntax>();

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Loads the code for all names in the tokens before parsing. If a name has several meanings, loads the code for each. */
  async prepare(tokens: Iterable<CaddyfileToken>): Promise<void> {
    const names = new Set<string>();
    for (const { text } of tokens) names.add(text);
    const byLabel = new Map<string, string[]>();
    for (const id of this.registry.contributions(moduleSyntaxes).keys()) {
      const label = id.slice(id.lastIndexOf('.') + 1);
      if (names.has(label)) pushTo(byLabel, label, id);
    }
    const waits: Promise<void>[] = [];
    for (const name of names) {
      const directive = this.registry.contributions(directives).get(name);
      if (directive !== undefined) waits.push(this.#load(this.#directives, name, directive.load));
      if (directive?.finishedBy !== undefined) this.#finishedBy.add(directive.finishedBy);
      const option = this.registry.contributions(globalOptions).get(name);
      if (option !== undefined) waits.push(this.#load(this.#options, name, option.load));
      for (const each of [name, directive?.finishedBy ?? name]) {
        const finish = this.registry.contributions(globalOptions).get(each)?.finish;
        if (finish !== undefined) waits.push(this.#load(this.#finishers, each, finish));
      }
      for (const id of byLabel.get(name) ?? []) {
        const syntax = this.registry.contributions(moduleSyntaxes).get(id);
        if (syntax !== undefined) waits.push(this.#load(this.#syntaxes, id, syntax.load));
      }
    }
    await Promise.all(waits);
  }

  async #load<T>(into: Map<string, T>, name: string, load: () => Promise<T>): Promise<void> {
    into.set(name, await load());
  }

  #get<T>(from: Map<string, T>, name: string, contribution: { load: () => Promise<T> } | undefined): T | undefined {
    const found = from.get(name);
    if (found !== undefined || contribution === undefined) return found;
    throw new NotLoaded(name, () => this.#load(from, name, contribution.load));
  }

  directive(name: string): Directive | undefined {
    return this.#get(this.#directives, name, this.registry.contributions(directives).get(name));
  }

  globalOption(name: string): GlobalOption | undefined {
    return this.#get(this.#options, name, this.registry.contributions(globalOptions).get(name));
  }

  /** Returns the `finish` functions of the given options and of the file's directives. */
  finishersFor(options: GlobalOptions): FinishConfig[] {
    return [...this.#finishers]
      .filter(([name]) => options.has(name) || this.#finishedBy.has(name))
      .map(([, finish]) => finish);
  }

  syntax(id: string): ModuleSyntax | undefined {
    return this.#get(this.#syntaxes, id, this.registry.contributions(moduleSyntaxes).get(id));
  }

  /** Reports whether a module with the ID exists, even if it has no Caddyfile syntax. */
  knowsModule(id: string): boolean {
    return this.registry.list().some((module) => module.id === id);
  }

  /** Parses the module with the given ID. The cursor of `reader` must be on the module name. */
  read(id: string, reader: Dispenser): Json {
    const syntax = this.syntax(id);
    if (syntax !== undefined) return syntax(reader);
    throw this.knowsModule(id)
      ? reader.error(`module ${id} is not a Caddyfile unmarshaler; is ${id}`)
      : reader.error(`getting module named '${id}': module not registered: ${id}${this.suggest(id)}`);
  }

  /** Returns the suffix ` - did you mean 'x'?` with the most similar module in the same namespace. Returns an empty string if there is none. */
  suggest(id: string): string {
    const namespace = id.slice(0, id.lastIndexOf('.') + 1);
    const siblings = this.registry.list().filter((module) => module.id.startsWith(namespace));
    const names = siblings.map((module) => module.id.slice(namespace.length)).filter((name) => !name.includes('.'));
    const near = nearest(id.slice(namespace.length), names);
    return near === null ? '' : ` - did you mean '${near}'?`;
  }
}
