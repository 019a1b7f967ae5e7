/** The `templates` handler: executes response bodies of later handlers as templates. */
import { compileRoot, HttpError, isHttpError, type Exchange, type HttpHandler, type Next } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { messageOf } from '@sluice/base';
import { decodeText, encodeText, isTemplateError, type Delimiters, type Functions } from '@sluice/text-template';
import { FileRoot } from './file-root.ts';
import { PageCache } from './page-cache.ts';
import { isNeeded, PageNeeds, type Needed } from './page-needs.ts';
import { PageRun } from './page-run.ts';
import { TemplatedResponse } from './templated-response.ts';

/** Response fields that describe the body before template execution. They no longer apply afterwards. */
const staleFields = ['content-length', 'accept-ranges', 'etag', 'last-modified'];

export interface TemplatesParts {
  readonly root: string;
  /** Content type prefixes. */
  readonly types: readonly string[];
  readonly delimiters: Readonly<Delimiters>;
  readonly extensions: Functions | null;
}

/** Caches of parsed templates, keyed by delimiters, for templates without extension functions. Kept across configuration reloads. */
const caches = new Map<string, PageCache>();
const maxCaches = 16;

function cacheOf({ delimiters, extensions }: TemplatesParts): PageCache {
  if (extensions !== null) return new PageCache(delimiters, extensions);
  const key = JSON.stringify([delimiters.left, delimiters.right]);
  const known = caches.get(key);
  if (known !== undefined) return known;
  if (caches.size >= maxCaches) caches.clear();
  const cache = new PageCache(delimiters, {});
  caches.set(key, cache);
  return cache;
}

export class Templates implements HttpHandler {
  readonly #root: (exchange: Exchange) => string;
  readonly #types: readonly string[];
  readonly #cache: PageCache;
  readonly #extensions: Functions;

  constructor(parts: TemplatesParts) {
    this.#root = compileRoot(parts.root);
    this.#types = parts.types;
    this.#cache = cacheOf(parts);
    this.#extensions = parts.extensions ?? {};
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const filter = new TemplatedResponse(exchange, this.#types);
    exchange.response = filter;
    const pending = next(exchange);
    if (pending === undefined) return this.#finish(exchange, filter);
    return pending.then(() => this.#finish(exchange, filter));
  }

  #finish(exchange: Exchange, filter: TemplatedResponse): void | Promise<void> {
    exchange.response = filter.inner;
    if (!filter.held) return;
    const { headers } = filter;
    if (isEncoded(headers)) {
      // Don't execute a compressed body as a template. Pass the body through.
      dropStale(headers);
      filter.inner.writeHead(filter.status);
      filter.body.sendTo(filter.inner);
      return;
    }
    const text = filter.body.text(decodeText);
    const output = this.#execute(exchange, text);
    if (typeof output === 'string') this.#send(filter, output);
    else return output.then((late) => this.#send(filter, late));
  }

  #send(filter: TemplatedResponse, output: string): void {
    dropStale(filter.headers);
    filter.inner.writeHead(filter.status);
    filter.inner.end(Buffer.from(encodeText(output)));
  }

  /** Executes a template source and returns the output. Returns a promise if the page includes responses of other requests. */
  #execute(exchange: Exchange, text: string): string | Promise<string> {
    const name = exchange.path;
    const root = new FileRoot(this.#root(exchange) || '.');
    const needs = new PageNeeds();
    const { headers } = exchange.response;
    const before = headers.clone();
    const setup = { exchange, root, cache: this.#cache, extensions: this.#extensions, needs };
    const attempt = (): string => new PageRun(setup).attempt(name, text);
    const include = async (needed: Needed): Promise<string> => {
      for (let missing = needed; ;) {
        await needs.fetch(missing, exchange).catch((error: unknown) => this.#fail(headers, error));
        // Undo the changes of this execution to the response fields, because the next execution repeats them.
        restore(headers, before);
        try {
          return attempt();
        } catch (error) {
          if (!isNeeded(error)) return this.#fail(headers, error);
          missing = error;
        }
      }
    };
    try {
      return attempt();
    } catch (error) {
      return isNeeded(error) ? include(error) : this.#fail(headers, error);
    }
  }

  /** Throws the error. Removes the response fields that describe the page, such as its content type and range. */
  #fail(headers: HeaderMap, error: unknown): never {
    dropStale(headers);
    headers.delete('content-type');
    headers.delete('content-range');
    if (isHttpError(error)) throw error;
    throw new HttpError(500, messageOf(error), isTemplateError(error) ? error.cause : error);
  }
}

function dropStale(headers: HeaderMap): void {
  for (const name of staleFields) headers.delete(name);
}

function isEncoded(headers: HeaderMap): boolean {
  const coding = headers.get('content-encoding') ?? '';
  return coding !== '' && coding !== 'identity';
}

function restore(headers: HeaderMap, saved: HeaderMap): void {
  headers.clear();
  for (const [name, value] of saved) headers.append(name, value);
}
