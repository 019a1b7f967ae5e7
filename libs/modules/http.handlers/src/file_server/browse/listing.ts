/** Contents of a directory that are visible to clients. */
import { isFolder, isLink, type FileFacts, type FileSystem } from '@sluice/http-app';
import { escapePath } from '@sluice/base';
import type { Hidden } from '../hide.ts';
import { joinFile, lastName } from '../path.ts';
import { sortItems, type View } from './sorting.ts';
import type { ListingItem } from './listing-item.ts';

export interface Listing {
  /** Name of the directory. `/` for the root directory. */
  readonly name: string;
  /** Decoded path without a trailing slash. */
  readonly path: string;
  readonly canGoUp: boolean;
  readonly items: readonly ListingItem[];
  /** Number of directories and files in the whole directory, ignoring filters. */
  readonly folders: number;
  readonly files: number;
  /** Total size of all files, in bytes. For a link, counts the size of the link itself. */
  readonly totalSize: number;
  /** Like {@link totalSize}, but counts the size of the target for a link. */
  readonly totalSizeFollowingLinks: number;
  /** Time of the latest change to the directory or one of its entries, in milliseconds since the Unix epoch. */
  readonly modified: number;
  readonly view: View;
}

export interface ListingOptions {
  /** Decoded path of the request URL. */
  readonly requestPath: string;
  readonly hidden: Hidden;
  readonly view: View;
  readonly limit: number;
  readonly revealLinks: boolean;
}

/** Reads a directory. Throws file system errors. */
export async function readListing(
  fileSystem: FileSystem,
  folder: { readonly path: string; readonly facts: FileFacts },
  options: ListingOptions,
): Promise<Listing> {
  const { requestPath, hidden, view } = options;
  const items: ListingItem[] = [];
  let folders = 0;
  let totalSize = 0;
  let totalSizeFollowingLinks = 0;
  let modified = folder.facts.mtimeMs;
  for (const entry of await fileSystem.list(folder.path, options.limit)) {
    const path = joinFile(folder.path, entry.name);
    if (hidden(path)) continue;
    const { facts } = entry;
    const link = isLink(facts);
    const target = link ? await targetOf(fileSystem, path) : facts;
    const isDirectory = isFolder(target ?? facts);
    const name = isDirectory ? `${entry.name}/` : entry.name;
    const { size } = target ?? facts;
    if (isDirectory) folders++;
    else {
      totalSize += facts.size;
      totalSizeFollowingLinks += size;
    }
    if (facts.mtimeMs > modified) modified = facts.mtimeMs;
    items.push({
      name,
      url: `./${escapePath(name)}`,
      size,
      mode: facts.mode,
      mtimeNs: entry.mtimeNs,
      isFolder: isDirectory,
      isLink: link,
      target: link && options.revealLinks ? await fileSystem.readLink(path) : '',
    });
  }
  sortItems(items, view);
  const path = requestPath.length > 1 && requestPath.endsWith('/') ? requestPath.slice(0, -1) : requestPath;
  return {
    name: lastName(path),
    path,
    canGoUp: path !== '/',
    items: items.slice(view.offset, view.limit === 0 ? undefined : view.offset + view.limit),
    folders,
    files: items.length - folders,
    totalSize,
    totalSizeFollowingLinks,
    modified,
    view,
  };
}

/** Returns the metadata of a link's target, or `null` for a broken link. */
async function targetOf(fileSystem: FileSystem, path: string): Promise<FileFacts | null> {
  try {
    return await fileSystem.stat(path);
  } catch {
    return null;
  }
}

export interface Breadcrumb {
  /** Relative URL, which also works behind a proxy that adds a path prefix. Empty for the directory itself. */
  readonly link: string;
  readonly text: string;
}

/** Returns the directories along a path, starting with the root directory `/`. */
export function breadcrumbsOf(path: string): Breadcrumb[] {
  const names = path.split('/').filter((name) => name !== '');
  return ['/', ...names].map((text, index) => ({ link: '../'.repeat(names.length - index), text }));
}
