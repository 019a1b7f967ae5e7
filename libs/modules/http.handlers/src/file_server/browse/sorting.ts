/** Sort order of a listing. Sources in order of precedence: the query, the option, the client's cookies, the default (by name). */
import type { Exchange } from '@sluice/http-app';
import { lowerCase, parseQuery } from '@sluice/base';
import type { ListingItem } from './listing-item.ts';

export const sortKeys = ['name', 'namedirfirst', 'size', 'time'] as const;
/** A sort key in {@link sortKeys}. */
export type SortKey = (typeof sortKeys)[number];
/** Sort direction. */
export type SortOrder = 'asc' | 'desc';

/** View settings that a client has selected for a listing. */
export interface View {
  /** Sort key. If the key is unknown, the entries stay in file system order. */
  readonly sort: string;
  readonly order: string;
  /** Number of entries to skip at the start. */
  readonly offset: number;
  /** Maximum number of entries to show. 0 shows all entries. */
  readonly limit: number;
  /** `grid` or empty. */
  readonly layout: string;
}

export function isSortKey(text: string): text is SortKey {
  return (sortKeys as readonly string[]).includes(text);
}

export function isSortOrder(text: string): text is SortOrder {
  return text === 'asc' || text === 'desc';
}

/** Sort settings from the `browse.sort` option. Empty strings if not set. */
export interface ConfiguredSort {
  readonly sort: SortKey | '';
  readonly order: SortOrder | '';
}

/** Returns the view settings from the query and cookies. Values from the query or the option are stored in cookies. */
export function viewOf(exchange: Exchange, configured: ConfiguredSort): View {
  const query = parseQuery(exchange.query ?? '');
  const first = (name: string): string => query.get(name)?.[0] ?? '';
  const chosenSort = first('sort') || configured.sort;
  const chosenOrder = first('order') || configured.order;
  if (isSortKey(chosenSort)) remember(exchange, 'sort', chosenSort);
  if (isSortOrder(chosenOrder)) remember(exchange, 'order', chosenOrder);
  return {
    sort: chosenSort || cookieOf(exchange, 'sort') || 'namedirfirst',
    order: chosenOrder || cookieOf(exchange, 'order') || 'asc',
    offset: numberOf(first('offset')),
    limit: numberOf(first('limit')),
    layout: first('layout') === 'grid' ? 'grid' : '',
  };
}

function numberOf(text: string): number {
  return /^\+?\d{1,15}$/.test(text) ? Number(text) : 0;
}

function remember(exchange: Exchange, name: string, value: string): void {
  const secure = exchange.connection.tls === null ? '' : '; Secure';
  exchange.response.headers.append('set-cookie', `${name}=${value}; HttpOnly${secure}; SameSite=Lax`);
}

function cookieOf(exchange: Exchange, name: string): string {
  for (const pair of (exchange.headers.joined('cookie', ';') ?? '').split(';')) {
    const text = pair.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return '';
}

type Comparison = (a: ListingItem, b: ListingItem) => number;

const byName: Comparison = (a, b) => compare(lowerCase(a.name), lowerCase(b.name));
const foldersFirst: Comparison = (a, b) => Number(b.isFolder) - Number(a.isFolder);

const comparisons: Readonly<Record<SortKey, Comparison>> = {
  name: byName,
  namedirfirst: (a, b) => foldersFirst(a, b) || byName(a, b),
  // The sizes of directories are meaningless, so directories come first, sorted by name.
  size: (a, b) => foldersFirst(a, b) || (a.isFolder ? byName(a, b) : a.size - b.size),
  time: (a, b) => compare(a.mtimeNs, b.mtimeNs),
};

function compare<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function sortItems(items: ListingItem[], { sort, order }: View): void {
  if (!isSortKey(sort)) return;
  const comparison = comparisons[sort];
  items.sort(order === 'desc' ? (a, b) => comparison(b, a) : comparison);
}
