/** Renders Markdown documents as HTML. Adds heading anchors, converts links between pages, and extracts text for the search. */
import MarkdownIt, { type Token } from 'markdown-it';
import { posix } from 'node:path';
import type { SiteDocument } from './documents.ts';

export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

/** A section of a page that the search can find. */
export interface Section extends Heading {
  readonly content: string;
}

export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
  /** Workspace files that the document embeds, such as images. */
  readonly files: readonly string[];
}

/** Link target: another page, a file to copy, or `null` if the target is not part of the site. */
type Target = { readonly href: string; readonly file?: string } | null;

function anchorOf(text: string, seen: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

export function render(document: SiteDocument, documents: ReadonlyMap<string, SiteDocument>): Rendered {
  const markdown = new MarkdownIt({ html: true, linkify: false });
  const files: string[] = [];
  const tokens = markdown.parse(document.text, {});
  const seen = new Map<string, number>();
  const sections: { level: number; anchor: string; text: string; content: string }[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[i + 1];
      const text = (inline?.children ?? []).map(({ content }) => content).join('');
      const anchor = anchorOf(text, seen);
      token.attrSet('id', anchor);
      sections.push({ level: Number(token.tag.slice(1)), anchor, text, content: '' });
    } else if (token.type === 'table_open') token.attrSet('class', 'table');
    else if (token.type === 'inline') {
      // The search index contains the first paragraph after each heading.
      const last = sections.at(-1);
      const isHeading = tokens[i - 1]?.type === 'heading_open';
      if (last !== undefined && !isHeading)
        last.content += `${(token.children ?? []).map(({ content }) => content).join('')} `;
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') direct(child, 'href');
        else if (child.type === 'image') direct(child, 'src');
      }
    }
  }

  function direct(token: Token, name: string): void {
    const found = targetOf(String(token.attrGet(name) ?? ''), document, documents);
    token.attrSet(name, found?.href ?? '#');
    if (found === null) token.attrSet('class', 'elsewhere');
    if (found?.file !== undefined) files.push(found.file);
  }

  // Converts links in HTML tags, such as those in the README.
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll(/(<(?:img|source)\b[^>]*?\b(?:src|srcset)=")([^"]+)"/g, (_, head: string, target: string) => {
      const found = targetOf(target, document, documents);
      if (found?.file !== undefined) files.push(found.file);
      return `${head}${found?.href ?? target}"`;
    });
  return { html, sections, files };
}

function targetOf(target: string, { path, page }: SiteDocument, documents: ReadonlyMap<string, SiteDocument>): Target {
  if (target === '' || target.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return { href: target };
  const [file = '', anchor] = target.split('#');
  const wanted = posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file))).replace(/\/$/, '');
  const there = documents.get(wanted) ?? documents.get(posix.join(wanted, 'README.md'));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (there !== undefined) return { href: relative(page, there.page) + hash };
  return /\.(?:svg|png|jpg|gif)$/.test(wanted) ? { href: relative(page, wanted), file: wanted } : null;
}

/** Returns the relative path from one page of the site to another file of the site. */
export function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path === '' ? posix.basename(to) : path;
}
