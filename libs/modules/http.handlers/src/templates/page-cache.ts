/** Templates by their text, so that a text is compiled once. */
import {
  sprig,
  TextTemplate,
  TemplateError,
  isTemplateError,
  type Delimiters,
  type Functions,
} from '@sluice/text-template';
import { pageFunctions } from './page-functions.ts';

/** Most characters of text that a cache holds. */
const maxSize = 8 * 1024 * 1024;
/** Longer texts are not kept. */
const maxLength = 512 * 1024;

/** The name that texts are compiled with: one text may be the page of many paths. Messages get the real one. */
const anyName = '⟦this page⟧';

/** What was compiled of one text. */
export class Page {
  readonly template: TextTemplate;

  constructor(text: string, delimiters: Partial<Delimiters>, functions: Functions) {
    this.template = TextTemplate.parse(anyName, text, { delimiters, functions, missingKey: 'zero' });
  }

  /** Templates that the text defines besides itself. */
  *defined(): IterableIterator<[name: string, template: TextTemplate]> {
    for (const name of this.template.defined) {
      const template = name === anyName ? undefined : this.template.lookup(name);
      if (template !== undefined) yield [name, template];
    }
  }
}

/** Pages that are in use, of one set of functions and delimiters. */
export class PageCache {
  readonly #delimiters: Partial<Delimiters>;
  readonly #functions: Functions;
  /** By text, the latest used last. */
  readonly #pages = new Map<string, Page>();
  #size = 0;

  constructor(delimiters: Partial<Delimiters>, functions: Functions) {
    this.#delimiters = delimiters;
    this.#functions = { ...sprig, ...pageFunctions, ...functions };
  }

  /** The page of a text; one that does not parse is an error under `name`. */
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
