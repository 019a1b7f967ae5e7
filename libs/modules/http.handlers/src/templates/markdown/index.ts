/**
 * The template function `markdown`. It supports CommonMark with tables, strikethrough, task lists, autolinks, footnotes, heading IDs and
 * highlighting classes. The output is formatted as in Caddy.
 */
import { sprint } from '@sluice/text-template';
import createParser, { type MarkdownIt } from 'markdown-it';
import { autolinks } from './autolinks.ts';
import { codeBlocks } from './code-blocks.ts';
import { footnotes } from './footnotes.ts';
import { headingIds } from './heading-ids.ts';
import { strikethrough } from './strikethrough.ts';
import { taskLists } from './task-lists.ts';

const parser = makeParser();

/** Converts Markdown to HTML. Values that are not strings are formatted first. HTML in the input is kept, because page authors are trusted. */
export function markdown(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : sprint([value]);
  return parser.render(text);
}

function makeParser(): MarkdownIt {
  const md = createParser({ html: true, linkify: true });
  md.validateLink = () => true;
  md.normalizeLink = (url) => md.utils.lib.mdurl.encode(url);
  md.normalizeLinkText = (url) => url;
  for (const plugin of [autolinks, strikethrough, headingIds, taskLists, footnotes, codeBlocks]) plugin(md);
  return md;
}
