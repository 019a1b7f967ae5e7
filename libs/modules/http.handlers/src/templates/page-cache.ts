/** Cache of compiled templates, keyed by template source. Each source is compiled once. */
import {
  sprig,
  TextTemplate,
  TemplateError,
  isTemplateError,
  type Delimiters,
  type Functions,
} from '@sluice/text-template';
import { pageFunctions } from './page-functions.ts';

/** Maximum total length of the cached template sources, in characters. */
const maxSize = 8 * 1024 * 1024;
/** Maximum length of a cached template source, in characters. Longer sources are compiled for every request. */
const maxLength = 512 * 1024;

/** Template name used for compilation, because several paths can share one template source. Error messages contain the actual name. */
const anyName = '⟦this page⟧';

export class Page {
  readonly template: TextTemplate;

  constructor(text: string, delimiters: Partial<Delimiters>, functions: Functions) {
    this.template = TextTemplate.parse(anyName, text, { delimiters, functions, missingKey: 'zero' });
  }

  /** Yields the named templates that the source defines, except the page itself. */
  *defined(): IterableIterator<[name: string, template: TextTemplate]> {
    for (const name of this.template.defined) {
      const template = name === anyName ? undefined : this.template.lookup(name);
      if (template !== undefined) yield [name, template];
    }
  }
}

/** Cache of compiled pages for one set of template functions and delimiters. */
export class PageCache {
  readonly #delimiters: Partial<Delimiters>;
  readonly #functions: Functions;
  /** Compiled pages, keyed by template source. The least recently used page comes first. */
  readonly #pages = new Map<string, Page>();
  #size = 0;

  constructor(delimiters: Partial<Delimiters>, functions: Functions) {
    this.#delimiters = delimiters;
    this.#functions = { ...sprig, ...pageFunctions, ...functions };
  }

  /** Returns the compiled page for a template source. Parse errors contain `name`. */
  page(name: string, text: string): Page {
    const known = this.#pages.get(text);
    if (known !== undefined) {
      this.#pages.delete(text);
      this.#pages.set(text, known);
      return known;
    }
    let page: Page;
    try {
      page = new Page(text, this.#delimiters, this.#functions);
    } catch (error) {
      throw named(error, name);
    }
    if (text.length <= maxLength) this.#keep(text, page);
    return page;
  }

  #keep(text: string, page: Page): void {
    this.#pages.set(text, page);
    this.#size += text.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#size <= maxSize) break;
      this.#pages.delete(oldest);
      this.#size -= oldest.length;
    }
  }
}

export function named(error: unknown, name: string): unknown {
  if (!isTemplateError(error) || !error.message.includes(anyName)) return error;
  const { code, cause, location } = error;
  return new TemplateError(code, error.message.replaceAll(anyName, name), { ...location, template: name }, cause);
}
