/** The execution of one page: its data, and the functions that belong to the request. */
import { HttpError, isHttpError, placeholderValue, type Exchange } from '@sluice/http-app';
import { statusText } from '@sluice/http1';
import { formatValue } from '@sluice/base';
import { Budget, typedList, type Functions, type Implementation, type TextTemplate } from '@sluice/text-template';
import type { FileRoot } from './file-root.ts';
import { IncludeNeeded } from './http-include.ts';
import { named, type Page, type PageCache } from './page-cache.ts';
import { PageData } from './page-data.ts';

/** Longest time that a page may take, in milliseconds: nothing else is served meanwhile. */
const maxTime = 5000;

/** What pages of one request share. */
export interface PageSetup {
  readonly exchange: Exchange;
  readonly root: FileRoot;
  readonly cache: PageCache;
  /** Functions of extensions, for `maybe`. */
  readonly extensions: Functions;
  /** Responses to `httpInclude` so far. */
  readonly included: ReadonlyMap<string, string>;
}

/** Runs pages. One per attempt: its budget covers the page and all that it includes. */
export class PageRun {
  readonly #setup: PageSetup;
  readonly #budget = new Budget({ time: maxTime, depth: 200 });

  constructor(setup: PageSetup) {
    this.#setup = setup;
  }

  /**
   * The output of a text. Raises {@link IncludeNeeded} where it needs a response that is not there yet. `given` is the data
   * of pages that have more than the usual.
   */
  execute(name: string, text: string, args: readonly unknown[], given: PageData | null = null): string {
    const { cache, exchange, root } = this.#setup;
    const imported = new Map<string, TextTemplate>();
    const page: Page = cache.page(name, text);
    const data = given ?? new PageData(exchange, root, typedList([...args], 'interface {}'));
    try {
      return page.template.execute(data, {
        functions: this.#functions(imported),
        templates: imported,
        limits: this.#budget,
      });
    } catch (error) {
      throw causeOf(error) ?? named(error, name);
    }
  }

  #functions(imported: Map<string, TextTemplate>): Readonly<Record<string, Implementation>> {
    const { cache, exchange, extensions, included, root } = this.#setup;
    const placeholder = (name: string): string => {
      const value = placeholderValue(exchange, name);
      if (value instanceof Error) throw value;
      return formatValue(value);
    };
    return {
      include: (name: string, ...args: unknown[]) => this.execute(name, root.read(name), args),
      import: (name: string) => {
        for (const [defined, template] of cache.page(name, root.read(name)).defined()) imported.set(defined, template);
        return '';
      },
      httpInclude: (uri: string) => {
        const body = included.get(uri);
        if (body === undefined) throw new IncludeNeeded(uri);
        return body;
      },
      readFile: (name: string) => root.read(name),
      listFiles: (name: string) => typedList(root.list(name), 'string'),
      fileExists: (name: string) => root.exists(name),
      fileStat: (name: string) => root.stat(name),
      placeholder,
      ph: placeholder,
      maybe: (name: string, ...args: unknown[]) => callExtension(extensions, name, args),
      httpError: (status: number) => {
        throw new HttpError(status, statusText(status));
      },
    };
  }
}

function callExtension(extensions: Functions, name: string, args: readonly unknown[]): unknown {
  const found = Object.hasOwn(extensions, name) ? extensions[name] : undefined;
  if (found === undefined) return '';
  const call = (typeof found === 'function' ? found : found.call) as (...values: readonly unknown[]) => unknown;
  return call(...args);
}

/** What a page raised on purpose, out of the errors that templates wrapped around it. */
function causeOf(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause)
    if (isHttpError(at) || at instanceof IncludeNeeded) return at;
  return null;
}
