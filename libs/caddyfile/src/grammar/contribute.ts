/** Registers declared Caddyfile syntaxes. The names are registered immediately. The code is loaded when a Caddyfile uses a syntax. */
import type { Registry } from '@sluice/registry';
import {
  directives,
  globalOptions,
  moduleSyntaxes,
  type DirectiveContribution,
  type FinishConfig,
} from '../http/contributions.ts';
import type { Description } from '../http/description.ts';
import type { Declared, HandlerSyntax, Syntax } from './grammar.ts';
import type { OptionSyntax } from './option.ts';

type Load<T> = () => Promise<T>;

interface ModuleName {
  readonly namespace: string;
  readonly name: string;
}

function describing(
  registry: Registry,
  load: Load<Declared<unknown, unknown>>,
  name: string,
  module: ModuleName,
): Load<Description> {
  return async () => {
    const [{ describeSyntax }, declared] = await Promise.all([import('./help.ts'), load()]);
    return describeSyntax(declared, name, { registry, ...module });
  };
}

/** Registers the Caddyfile syntaxes of the modules in a namespace. */
export function contributeSyntaxes(
  registry: Registry,
  namespace: string,
  syntaxes: Readonly<Record<string, Load<Syntax>>>,
): void {
  for (const [name, load] of Object.entries(syntaxes)) {
    const id = `${namespace}.${name}`;
    registry.contribute(moduleSyntaxes, {
      name: id,
      load: async () => (await load()).read,
      write: async () => (await load()).write,
      describe: describing(registry, load, name, { namespace, name }),
    });
  }
}

/** Returns loaders for the syntaxes that one source file declares, keyed by name. */
export function syntaxesOf<const N extends string, T>(
  names: readonly N[],
  load: () => Promise<Readonly<Record<N, T>>>,
): Record<N, Load<T>> {
  const loads = names.map((name) => [name, async () => (await load())[name]] as const);
  return Object.fromEntries(loads) as Record<N, Load<T>>;
}

export interface HandlerDirective extends Omit<DirectiveContribution, 'load' | 'write' | 'describe'> {
  /**
   * Module whose options describe the syntax. Default: the handler if there is one, otherwise the module with the same name as the
   * directive.
   */
  readonly described?: ModuleName;
  /** False if `convert` never writes this directive for a handler. Default: true. */
  readonly inverse?: boolean;
  /** Current name of the directive, if this name is deprecated. */
  readonly oldNameOf?: string;
  readonly load: Load<HandlerSyntax>;
}

function renamed({ syntax: [form], example, ...others }: Description, name: string, oldName: string): Description {
  const { syntax, summary } = { syntax: form.replace(name, oldName), summary: `Deprecated alias of \`${name}\`.` };
  return { ...others, syntax: [syntax], summary, example: example.replaceAll(name, oldName) };
}

export function contributeHandlers(registry: Registry, ...all: readonly HandlerDirective[]): void {
  for (const { described, inverse = true, oldNameOf, load, ...directive } of all) {
    const { name, handler = name } = directive;
    const module = described ?? { namespace: 'http.handlers', name: handler };
    const describe = describing(registry, load, oldNameOf ?? name, module);
    registry.contribute(directives, {
      ...directive,
      handler,
      load: async () => (await load()).read,
      describe: oldNameOf === undefined ? describe : async () => renamed(await describe(), oldNameOf, name),
      ...(inverse && oldNameOf === undefined ? { write: async () => (await load()).write } : {}),
    });
  }
}

/** Registers global options in the order in which `convert` writes them. `finish` generates configuration from the option values. */
export function contributeOptions(
  registry: Registry,
  options: Readonly<Record<string, Load<OptionSyntax>>>,
  finish?: Load<FinishConfig>,
): void {
  for (const [name, load] of Object.entries(options)) {
    registry.contribute(globalOptions, {
      name,
      load: async () => (await load()).read,
      write: async () => (await load()).write,
      describe: async () => {
        const [{ describeSyntax }, declared] = await Promise.all([import('./help.ts'), load()]);
        const [, app = '', ...base] = declared.at?.split('.') ?? [];
        return describeSyntax(declared, name, { registry, namespace: '', name: app, base });
      },
      ...(finish === undefined ? {} : { finish }),
    });
  }
}
