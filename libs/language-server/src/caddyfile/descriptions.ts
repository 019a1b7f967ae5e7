/** Allowed content of Caddyfile blocks, from the descriptions of directives, options and module syntaxes. */
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

/** Meaning of a name. */
export interface Entry {
  readonly name: string;
  readonly kind: 'directive' | 'global option' | 'option' | 'module' | 'matcher';
  /** Description, or `null` if there is none. */
  readonly description: Described | null;
  /** Help of the module, if the name is a module. */
  readonly help: string;
}

/** Common parts of directive and option descriptions. */
export interface Described {
  readonly syntax: readonly string[];
  readonly summary: string;
  readonly module?: string;
  readonly options?: readonly OptionDescription[];
  readonly block?: BlockContent;
  readonly example?: string;
}

/** Names allowed at the start of a line. Earlier sources take precedence. */
export type Content = ReadonlyMap<string, () => Promise<Entry>>;

const nothing: Content = new Map();

/** Finds all names of a registry, and loads descriptions on demand. */
export class Descriptions {
  readonly #registry: Registry;
  readonly #contents = new Map<string, Content>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the names allowed at the start of a line in a block. */
  async contentOf(block: Block): Promise<Content> {
    const lines: Line[] = [];
    for (let line = block.line; line !== null; line = line.parent.line) lines.unshift(line);
    let content = block.section.kind === 'global' ? this.#globals() : this.named('directives');
    for (const line of lines) content = await this.#inner(content, line);
    return content;
  }

  /** Returns the entry for a line's name, or `null` if the name is unknown. */
  async entryOf(line: Line): Promise<Entry | null> {
    const name = line.words[0]?.token.text ?? '';
    return (await (await this.contentOf(line.parent)).get(name)?.()) ?? null;
  }

  /** Returns a directive by name, or `null`. */
  async directive(name: string): Promise<Entry | null> {
    return (await this.named('directives').get(name)?.()) ?? null;
  }

  /** Returns the names that belong to a content type. */
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

  /** Returns the module in the first argument, for options that host modules. */
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

  /** Returns the modules of a namespace that have a syntax. */
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
