/** The built-in listing page. It works on phones, and in light and dark mode. It requires neither its script nor external resources. */
import { escapeHtml } from '@sluice/base';
import { formatTime } from './json.ts';
import { breadcrumbsOf, type Listing } from './listing.ts';
import type { ListingItem } from './listing-item.ts';
import { iconShapes } from './page-icons.ts';
import { kindOf } from './page-kinds.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { humanSize } from './sizes.ts';
import { formatLocal } from './text.ts';

/** Renders the listing page. The style and script elements contain the nonce from the content security policy. */
export function listingPage(listing: Listing, nonce: string): string {
  const grid = listing.view.layout === 'grid';
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(listing.path)}</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<header>
<nav aria-label="Path">${breadcrumbs(listing.path)}</nav>
<p>${totals(listing)}</p>
${tools(listing)}
</header>
<main>
${sortBar(listing)}
<ul class="${grid ? 'grid' : 'rows'}">
${listing.canGoUp ? `<li class="up"><a href="../"><span class="name">${icon('up')}..</span></a></li>\n` : ''}${listing.items.map((item) => row(item, grid)).join('\n')}
</ul>
${listing.items.length === 0 ? '<p class="empty">Nothing here.</p>\n' : ''}${pager(listing)}</main>
<script nonce="${nonce}">${pageScript}</script>
</body>
</html>
`;
}

function breadcrumbs(path: string): string {
  const links = breadcrumbsOf(path).map(({ link, text }) => {
    const shown = text === '/' ? `${icon('home')}<span class="hidden">top</span>` : escapeHtml(text);
    return link === '' ? `<b aria-current="page">${shown}</b>` : `<a href="${link}">${shown}</a>`;
  });
  return links.join('<i>/</i>');
}

function totals({ folders, files, totalSize, totalSizeFollowingLinks }: Listing): string {
  const followed =
    totalSizeFollowingLinks === totalSize ? '' : ` (${humanSize(totalSizeFollowingLinks)} including link targets)`;
  return `${count(folders, 'folder')}, ${count(files, 'file')}, ${humanSize(totalSize)}${followed}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns the sort links. The link for the current sort key reverses the order. */
function sortBar(listing: Listing): string {
  const { sort, order } = listing.view;
  const link = (key: string, text: string): string => {
    const current = sort === key || (key === 'namedirfirst' && sort === 'name');
    const next = current && order === 'asc' ? 'desc' : 'asc';
    const arrow = current ? (order === 'asc' ? ' ↑' : ' ↓') : '';
    const target = address(listing, { sort: key, order: next, offset: 0 });
    return `<a class="${key}"${current ? ' aria-current="true"' : ''} href="${target}">${text}${arrow}</a>`;
  };
  return `<nav class="sort" aria-label="Sort">${link('namedirfirst', 'Name')}${link('size', 'Size')}${link('time', 'Modified')}</nav>`;
}

/** Returns the filter field, which the script makes visible, and a link to the other layout. */
function tools(listing: Listing): string {
  const other = listing.view.layout === 'grid' ? '' : 'grid';
  const link = `<a class="layout" href="${address(listing, { layout: other })}">${other === 'grid' ? 'Grid' : 'List'}</a>`;
  return `<div class="tools"><input id="filter" type="search" placeholder="Filter" aria-label="Filter by name" hidden>${link}</div>`;
}

interface Change {
  readonly sort?: string;
  readonly order?: string;
  readonly offset?: number;
  readonly layout?: string;
}

function address({ view }: Listing, change: Change): string {
  const next = { ...view, ...change };
  const query = [`sort=${encodeURIComponent(next.sort)}`, `order=${encodeURIComponent(next.order)}`];
  if (next.limit > 0) query.push(`limit=${next.limit}`);
  if (next.offset > 0) query.push(`offset=${next.offset}`);
  if (next.layout !== '') query.push(`layout=${next.layout}`);
  return `./?${query.join('&amp;')}`;
}

function row(item: ListingItem, grid: boolean): string {
  const kind = item.isFolder ? 'folder' : kindOf(item.name);
  const name = escapeHtml(item.isFolder ? item.name.slice(0, -1) : item.name);
  const url = escapeHtml(item.url);
  const preview = grid && kind === 'picture' ? `<img loading="lazy" alt="" src="${url}">` : icon(kind);
  const target = item.target === '' ? '' : `<span class="target">→ ${escapeHtml(item.target)}</span>`;
  const time = formatTime(item.mtimeNs);
  const local = formatLocal(Number(item.mtimeNs / 1_000_000n));
  return `<li><a href="${url}" title="${name}"><span class="name">${preview}<span>${name}${item.isFolder ? '/' : ''}${target}</span></span><span class="size">${item.isFolder ? '' : humanSize(item.size)}</span><time datetime="${time}">${local}</time></a></li>`;
}

/** Returns links to the previous and next page if the listing has several pages. */
function pager(listing: Listing): string {
  const { offset, limit } = listing.view;
  const total = listing.folders + listing.files;
  if (limit === 0 && offset === 0) return '';
  const links: string[] = [];
  const before = limit === 0 ? 0 : Math.max(0, Math.min(offset, total) - limit);
  if (offset > 0) links.push(`<a href="${address(listing, { offset: before })}">← Previous</a>`);
  const shown = listing.items.length;
  const last = offset + shown;
  links.push(`<span>${shown === 0 ? 0 : `${offset + 1}–${last}`} of ${total}</span>`);
  if (shown > 0 && last < total) links.push(`<a href="${address(listing, { offset: last })}">Next →</a>`);
  return `<nav class="pager" aria-label="Pages">${links.join('')}</nav>\n`;
}

function icon(name: string): string {
  return `<svg class="${name}" viewBox="0 0 24 24" aria-hidden="true"><path d="${iconShapes[name] ?? ''}"/></svg>`;
}
