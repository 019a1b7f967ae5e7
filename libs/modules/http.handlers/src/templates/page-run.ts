import { HttpError, isHttpError, placeholderValue, type Exchange } from '@sluice/http-app';
import { statusText } from '@sluice/http1';
import { formatValue } from '@sluice/base';
import { Budget, typedList, type Functions, type Implementation, type TextTemplate } from '@sluice/text-template';
import type { FileRoot } from './file-root.ts';
import { IncludeNeeded } from './http-include.ts';
import { named, type Page, type PageCache } from './page-cache.ts';
import { PageData } from './page-data.ts';
import { markdown } from './markdown/index.ts';
import { runWithin } from './run-within.ts';
import { isNeeded, type PageNeeds } from './page-needs.ts';

/** Maximum total time of all executions of a page, in milliseconds. Execution is synchronous and blocks the thread's other requests. */
const maxTime = 2000;

/** Minimum length of a Markdown source that is parsed under a time limit, in characters. */
const longMarkdown = 4096;

export interface PageSetup {
  readonly exchange: Exchange;
  readonly root: FileRoot;
  readonly cache: PageCache;
  /** Functions of template extensions, which `maybe` can call. */
  readonly extensions: Functions;
  readonly needs: PageNeeds;
}

/** Executes a page and the pages it includes. Create one instance per execution, because the time limit covers all included pages. */
export class PageRun {
  readonly #setup: PageSetup;
  readonly #budget: Budget;
  readonly #slow: Readonly<Record<string, Implementation>>;

  constructor(setup: PageSetup) {
    this.#setup = setup;
    this.#budget = new Budget({ time: maxTime - setup.needs.spent, depth: 200 });
    this.#slow = setup.needs.slow.implementations();
  }

  attempt(name: string, text: string, given: PageData | null = null): string {
    const startedAt = performance.now();
    try {
      return this.execute(name, text, [], given);
    } finally {
      this.#setup.needs.spent += performance.now() - startedAt;
    }
  }

  /**
   * Executes a template source and returns the output. Throws {@link IncludeNeeded} if an included response is not available yet. `given`
   * is page data with additional fields.
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

  #markdown(value: unknown): string {
    const isLong = typeof value === 'string' && value.length > longMarkdown;
    const html = isLong ? runWithin(this.#budget.left, 'Markdown', () => markdown(value)) : markdown(value);
    this.#budget.checkTime();
    return html;
  }

  #functions(imported: Map<string, TextTemplate>): Readonly<Record<string, Implementation>> {
    const { cache, exchange, extensions, needs, root } = this.#setup;
    const placeholder = (name: string): string => {
      const value = placeholderValue(exchange, name);
      if (value instanceof Error) throw value;
      return formatValue(value);
    };
    return {
      ...this.#slow,
      markdown: (value: unknown) => this.#markdown(value),
      include: (name: string, ...args: unknown[]) => this.execute(name, root.read(name), args),
      import: (name: string) => {
        for (const [defined, template] of cache.page(name, root.read(name)).defined()) imported.set(defined, template);
        return '';
      },
      httpInclude: (uri: string) => {
        const body = needs.included.get(uri);
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

/** Returns the error that a page threw deliberately, without the template errors that wrap it. */
function causeOf(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) if (isHttpError(at) || isNeeded(at)) return at;
  return null;
}
