/** Determines which lines are allowed in Caddyfile blocks, from the descriptions of directives, options and modules. */
import {
  directives,
  globalOptions,
  moduleSyntaxes,
  optionName,
  type BlockContent,
  type Description,
  type OptionDescription,
} from '@sluice/caddyfile';
import type { Registry } from '@sluice/registry';
import type { Block, Line } from './tree.ts';

/** Documentation of a directive, option or module name. */
export interface Entry {
  readonly name: string;
  readonly kind: 'directive' | 'global option' | 'option' | 'module' | 'matcher';
  /** Description of the name; `null` if there is none. */
  readonly description: Described | null;
  /** Help text of the module, if the name is a module. */
  readonly help: string;
}

/** Properties that descriptions of directives and options share. */
export interface Described {
  readonly syntax: readonly string[];
  readonly summary: string;
  readonly module?: string;
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  readonly example?: string;
}

/** Names that are allowed at the start of a line. If several sources contain a name, the earliest source takes precedence. */
export type Content = ReadonlyMap<string, () => Promise<Entry>>;

const nothing: Content = new Map();

/** Provides all names in a registry. Descriptions are loaded on demand. */
export class Descriptions {
  readonly #registry: Registry;
  readonly #contents = new Map<string, Content>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the names that are allowed at the start of a line in a block. */
  async contentOf(block: Block): Promise<Content> {
    const lines: Line[] = [];
    for (let line = block.line; line !== null; line = line.parent.line) lines.unshift(line);
    let content = block.section.kind === 'global' ? this.#globals() : this.named('directives');
    for (const line of lines) content = await this.#inner(content, line);
    return content;
  }

  /** Returns the documentation for a line's name. Returns `null` if the name is unknown. */
  async entryOf(line: Line): Promise<Entry | null> {
    const name = line.words[0]?.token.text ?? '';
    return (await (await this.contentOf(line.parent)).get(name)?.()) ?? null;
  }

  /** Returns a directive by name, or `null` if it is unknown. */
  async directive(name: string): Promise<Entry | null> {
    return (await this.named('directives').get(name)?.()) ?? null;
  }

  /** Returns the names that a content type allows. */
  named(content: BlockContent): Content {
    let names = this.#contents.get(content);
    if (names === undefined) {
      names = content === 'directives' ? this.#directives() : this.#modules(content);
      this.#contents.set(content, names);
    }
    return names;
  }

  async #inner(content: Content, line: Line): Promise<Content> {
    const [name, value] = line.words.map(({ token }) => token.text);
    if (name?.startsWith('@') === true) {
      const matchers = this.named('matchers');
      const matcher = await matchers.get(value ?? '')?.();
      return value === undefined ? matchers : this.#contentIn(matcher?.description ?? null);
    }
    const entry = await content.get(name ?? '')?.();
    const description = entry?.description ?? null;
    const inner = this.#contentIn(description);
    const hosted = await this.moduleOf(description, line)?.();
    return hosted === undefined ? inner : new Map([...inner, ...this.#contentIn(hosted.description)]);
  }

  /** Returns the module named in the first argument of an option that hosts modules. */
  moduleOf(description: Described | null, { words }: Line): (() => Promise<Entry>) | undefined {
    if (description?.module === undefined) return undefined;
    const value = words.slice(1).find(({ token: { text } }) => !text.startsWith('@') && !text.startsWith('/'));
    return this.named(description.module).get(value?.token.text ?? '');
  }

  #contentIn(description: Described | null): Content {
    const { options = [], block } = description ?? {};
    if (options.length === 0) return block === undefined ? nothing : this.named(block);
    const own = options.map((option) => {
      const name = optionName(option);
      const entry: Entry = { name, kind: 'option', description: { ...option, syntax: [option.syntax] }, help: '' };
      return [name, () => Promise.resolve(entry)] as const;
    });
    return new Map([...(block === undefined ? nothing : this.named(block)), ...own]);
  }

  #globals(): Content {
    const all = this.#registry.contributions(globalOptions);
    return new Map([...all].map(([name, { describe }]) => [name, () => entry(name, 'global option', describe, '')]));
  }

  #directives(): Content {
    const all = this.#registry.contributions(directives);
    return new Map(
      [...all].map(([name, { describe }]) => {
        const help = this.#registry.find({ id: 'http.handlers' }, name)?.descriptor.help ?? '';
        return [name, () => entry(name, 'directive', describe, help)];
      }),
    );
  }

  /** Returns the modules of a namespace that have a Caddyfile syntax. */
  #modules(content: string): Content {
    const namespace = content === 'matchers' ? 'http.matchers' : content;
    const kind = content === 'matchers' ? 'matcher' : 'module';
    const names = new Map<string, () => Promise<Entry>>();
    for (const [id, { describe }] of this.#registry.contributions(moduleSyntaxes)) {
      const dot = id.lastIndexOf('.');
      const name = id.slice(dot + 1);
      const help = this.#registry.find({ id: namespace }, name)?.descriptor.help ?? '';
      if (id.slice(0, dot) === namespace) names.set(name, () => entry(name, kind, describe, help));
    }
    return names;
  }
}

async function entry(
  name: string,
  kind: Entry['kind'],
  describe: (() => Promise<Description>) | undefined,
  help: string,
): Promise<Entry> {
  return { name, kind, help, description: (await describe?.().catch(() => undefined)) ?? null };
}
