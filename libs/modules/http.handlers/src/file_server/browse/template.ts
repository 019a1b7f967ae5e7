/** The `template_file` option: a custom listing page with the functions and data of the `templates` handler. */
import { readFile } from 'node:fs/promises';
import { HttpError, isHttpError, noRoot, type Exchange, type HttpTemplate } from '@sluice/http-app';
import { messageOf } from '@sluice/base';
import { decodeText, goType, Instant, typedList } from '@sluice/text-template';
import { FileRoot } from '../../templates/file-root.ts';
import { isNeeded, PageNeeds } from '../../templates/page-needs.ts';
import { PageCache } from '../../templates/page-cache.ts';
import { PageData } from '../../templates/page-data.ts';
import { PageRun } from '../../templates/page-run.ts';
import type { PageTemplate } from './browse.ts';
import { breadcrumbsOf, type Breadcrumb, type Listing } from './listing.ts';
import type { ListingItem } from './listing-item.ts';
import { humanSize } from './sizes.ts';

/** Compiles the `template_file` option. `root` returns the root directory for file functions. */
export function compilePageTemplate(file: HttpTemplate, root: (exchange: Exchange) => string): PageTemplate {
  const cache = new PageCache({}, {});
  return async (exchange, listing) => {
    const name = file.filled(exchange) ?? noRoot;
    try {
      const text = decodeText(await readFile(name));
      return await execute({ name, text }, listing, {
        exchange,
        root: new FileRoot(root(exchange) || '.'),
        cache,
      });
    } catch (error) {
      if (isHttpError(error)) throw error;
      throw new HttpError(500, messageOf(error), error);
    }
  };
}

async function execute(
  { name, text }: { readonly name: string; readonly text: string },
  listing: Listing,
  { exchange, root, cache }: { readonly exchange: Exchange; readonly root: FileRoot; readonly cache: PageCache },
): Promise<string> {
  const needs = new PageNeeds();
  for (;;) {
    try {
      const run = new PageRun({ exchange, root, cache, extensions: {}, needs });
      return run.attempt(name, text, new ListingPage(exchange, root, listing));
    } catch (error) {
      if (!isNeeded(error)) throw error;
      await needs.fetch(error, exchange);
    }
  }
}

/** Value of `.` in listing templates. Its members have the same names as in Caddy. */
class ListingPage extends PageData {
  static {
    Object.defineProperty(ListingPage.prototype, goType, { value: '*fileserver.templateContext' });
  }

  readonly Name: string;
  readonly Path: string;
  readonly CanGoUp: boolean;
  readonly Items: readonly ListedFile[];
  readonly Breadcrumbs: readonly ListedBreadcrumb[];
  readonly NumDirs: number;
  readonly NumFiles: number;
  readonly TotalFileSize: number;
  readonly TotalFileSizeFollowingSymlinks: number;
  readonly Sort: string;
  readonly Order: string;
  readonly Limit: number;
  readonly Offset: number;
  readonly Layout: string;

  constructor(exchange: Exchange, root: FileRoot, listing: Listing) {
    super(exchange, root, typedList([], 'interface {}'));
    this.Name = listing.name;
    this.Path = listing.path;
    this.CanGoUp = listing.canGoUp;
    this.Items = typedList(
      listing.items.map((item) => new ListedFile(item)),
      'fileserver.fileInfo',
    );
    this.Breadcrumbs = typedList(
      breadcrumbsOf(listing.path).map((crumb) => new ListedBreadcrumb(crumb)),
      'fileserver.crumb',
    );
    this.NumDirs = listing.folders;
    this.NumFiles = listing.files;
    this.TotalFileSize = listing.totalSize;
    this.TotalFileSizeFollowingSymlinks = listing.totalSizeFollowingLinks;
    const { sort, order, limit, offset, layout } = listing.view;
    this.Sort = sort;
    this.Order = order;
    this.Limit = limit;
    this.Offset = offset;
    this.Layout = layout;
  }

  HumanTotalFileSize(): string {
    return humanSize(this.TotalFileSize);
  }

  HumanTotalFileSizeFollowingSymlinks(): string {
    return humanSize(this.TotalFileSizeFollowingSymlinks);
  }
}

class ListedBreadcrumb {
  static {
    Object.defineProperty(ListedBreadcrumb.prototype, goType, { value: 'fileserver.crumb' });
  }

  readonly Link: string;
  readonly Text: string;

  constructor({ link, text }: Breadcrumb) {
    this.Link = link;
    this.Text = text;
  }
}

class ListedFile {
  static {
    Object.defineProperty(ListedFile.prototype, goType, { value: 'fileserver.fileInfo' });
  }

  readonly Name: string;
  readonly Size: number;
  readonly URL: string;
  readonly Mode: number;
  readonly ModTime: Instant;
  readonly IsDir: boolean;
  readonly IsSymlink: boolean;
  readonly SymlinkPath: string;

  constructor(item: ListingItem) {
    this.Name = item.name;
    this.Size = item.size;
    this.URL = item.url;
    this.Mode = item.mode;
    this.ModTime = Instant.fromDate(new Date(Number(item.mtimeNs / 1_000_000n)));
    this.IsDir = item.isFolder;
    this.IsSymlink = item.isLink;
    this.SymlinkPath = item.target;
  }

  HumanSize(): string {
    return humanSize(this.Size);
  }

  HumanModTime(layout: string): string {
    return this.ModTime.Format(layout);
  }

  HasExt(...extensions: readonly string[]): boolean {
    const name = this.Name.toLowerCase();
    return extensions.some((extension) => name.endsWith(extension.toLowerCase()));
  }
}
