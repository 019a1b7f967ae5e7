/** Renders the page layout: navigation tree on the left, table of contents on the right, and search. */
import type { NavigationPart, SiteDocument } from './documents.ts';
import { relative, type Rendered } from './markdown.ts';

export function pageOf(document: SiteDocument, rendered: Rendered, navigation: readonly NavigationPart[]): string {
  const { page, title } = document;
  const root = relative(page, 'index.html').replace(/index\.html$/, '');
  const contents = rendered.sections.filter(({ level }) => level === 2 || level === 3);
  const aside =
    contents.length < 2 ? '' : `<aside aria-label="On this page"><h2>On this page</h2>${listOf(contents)}</aside>`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(page === 'index.html' ? 'Sluice' : `${title} – Sluice`)}</title>
<link rel="stylesheet" href="${root}assets/style.css">
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
<script src="${root}assets/search.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="${root}index.html">Sluice</a>
<label class="search"><span class="hidden">Search</span><input type="search" id="search" placeholder="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results"></label>
<details class="menu"><summary>Pages</summary></details>
<ol id="results" role="listbox" hidden></ol>
</header>
<div class="columns">
<nav aria-label="Pages">${navigation.map((part) => partOf(part, page)).join('\n')}</nav>
<main id="content">
${rendered.html}
</main>
${aside}
</div>
</body>
</html>
`;
}

function partOf({ title, documents }: NavigationPart, page: string): string {
  const items = documents.map((each) => {
    const current = each.page === page ? ' aria-current="page"' : '';
    return `<li><a href="${relative(page, each.page)}"${current}>${escape(each.title)}</a></li>`;
  });
  const open = documents.length < 40 || documents.some((each) => each.page === page) ? ' open' : '';
  return `<details${open}><summary>${escape(title)}</summary><ul>${items.join('')}</ul></details>`;
}

function listOf(headings: readonly { level: number; anchor: string; text: string }[]): string {
  const items = headings.map(
    ({ level, anchor, text }) => `<li class="level-${level}"><a href="#${anchor}">${escape(text)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
