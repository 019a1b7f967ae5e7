/** The `browse` option, which responds to directory requests with a listing. */
import { randomBytes } from 'node:crypto';
import type { Exchange, FileSystem } from '@sluice/http-app';
import { formatHttpDate } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import { fromFileSystem } from '../file-errors.ts';
import type { Hidden } from '../hide.ts';
import { parseHttpDate } from '../http-date.ts';
import type { Located } from '../locate.ts';
import type { browseOptions } from '../options.ts';
import { listingJson } from './json.ts';
import { readListing, type Listing } from './listing.ts';
import { listingPage } from './page.ts';
import { isSortKey, isSortOrder, sortKeys, viewOf, type ConfiguredSort } from './sorting.ts';
import { listingText } from './text.ts';

const defaultLimit = 10_000;

export interface Browse {
  /** Responds to a directory request with a listing. */
  respond(exchange: Exchange, fileSystem: FileSystem, folder: Located, hidden: Hidden): Promise<void>;
}

/** Renders a listing with a custom page template. Throws an `HttpError` on failure. */
export type PageTemplate = (exchange: Exchange, listing: Listing) => Promise<string>;

/** Compiles the `browse` option. `template` renders the page from `template_file`, or is `null`. */
export function compileBrowse(
  config: Options<typeof browseOptions>,
  template: PageTemplate | null,
  context: Context,
): Browse {
  return new FolderBrowser(
    parseSort(config.sort ?? [], context),
    (config.file_limit ?? 0) > 0 ? (config.file_limit as number) : defaultLimit,
    config.reveal_symlinks ?? false,
    template,
  );
}

function parseSort(words: readonly string[], context: Context): ConfiguredSort {
  let sort: ConfiguredSort['sort'] = '';
  let order: ConfiguredSort['order'] = '';
  for (const [index, word] of words.entries()) {
    if (isSortKey(word)) sort = word;
    else if (isSortOrder(word)) order = word;
    else {
      const known = [...sortKeys, 'asc', 'desc'].join(', ');
      throw context.error(
        `${JSON.stringify(word)} is not a valid sort order; use one of ${known}`,
        'browse',
        'sort',
        index,
      );
    }
  }
  return { sort, order };
}

class FolderBrowser implements Browse {
  readonly #sort: ConfiguredSort;
  readonly #limit: number;
  readonly #revealLinks: boolean;
  readonly #template: PageTemplate | null;

  constructor(sort: ConfiguredSort, limit: number, revealLinks: boolean, template: PageTemplate | null) {
    this.#sort = sort;
    this.#limit = limit;
    this.#revealLinks = revealLinks;
    this.#template = template;
  }

  async respond(exchange: Exchange, fileSystem: FileSystem, folder: Located, hidden: Hidden): Promise<void> {
    const listing = await this.#read(exchange, fileSystem, folder, hidden);
    const { response } = exchange;
    const { headers } = response;
    headers.append('vary', 'Accept, Accept-Encoding');
    const modified = Math.floor(listing.modified / 1000) * 1000;
    if (unchangedSince(exchange, modified)) {
      response.writeHead(304);
      response.end();
      return;
    }
    headers.set('last-modified', formatHttpDate(modified));
    const { type, body } = await this.#write(exchange, listing);
    headers.set('content-type', type);
    response.writeHead(200);
    response.end(body);
  }

  async #read(exchange: Exchange, fileSystem: FileSystem, folder: Located, hidden: Hidden): Promise<Listing> {
    const view = viewOf(exchange, this.#sort);
    const { path: requestPath } = exchange;
    const options = { requestPath, hidden, view, limit: this.#limit, revealLinks: this.#revealLinks };
    try {
      return await readListing(fileSystem, folder, options);
    } catch (error) {
      throw fromFileSystem(error);
    }
  }

  async #write(exchange: Exchange, listing: Listing): Promise<{ type: string; body: string }> {
    const accept = (exchange.headers.joined('accept') ?? '').toLowerCase();
    if (accept.includes('application/json'))
      return { type: 'application/json; charset=utf-8', body: listingJson(listing) };
    if (accept.includes('text/plain')) return { type: 'text/plain; charset=utf-8', body: listingText(listing) };
    const type = 'text/html; charset=utf-8';
    if (this.#template !== null) return { type, body: await this.#template(exchange, listing) };
    const nonce = randomBytes(16).toString('base64');
    exchange.response.headers.set('content-security-policy', policy(nonce));
    return { type, body: listingPage(listing, nonce) };
  }
}

/**
 * Returns the content security policy. It allows only the listing's own style, and images in the directory itself. Only same-site pages may
 * embed the listing in a frame.
 */
function policy(nonce: string): string {
  return `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; img-src 'self'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
}

function unchangedSince(exchange: Exchange, modified: number): boolean {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return false;
  return modified <= parseHttpDate(exchange.headers.get('if-modified-since') ?? '');
}
