/** Footnotes, rendered in Caddy's format. */
import type { MarkdownIt, Token } from 'markdown-it';
import plugin from 'markdown-it-footnote';

interface Footnote {
  /** Zero-based. */
  readonly id: number;
  /** Zero-based index of the reference among all references to this footnote. */
  readonly subId: number;
}

function footnoteOf(tokens: readonly Token[], index: number): Footnote {
  return tokens[index]?.meta as unknown as Footnote;
}

/** Returns the ID of a footnote reference. The second and later references to a footnote have a number in their ID. */
function referenceId({ id, subId }: Footnote): string {
  return `fnref${subId > 0 ? subId : ''}:${id + 1}`;
}

/** Adds the rules for footnotes such as `[^1]`. Inline footnotes (`^[…]`) are disabled. */
export function footnotes(md: MarkdownIt): void {
  plugin(md);
  md.inline.ruler.disable('footnote_inline');
  const { rules } = md.renderer;
  rules['footnote_ref'] = (tokens, index) => {
    const footnote = footnoteOf(tokens, index);
    const number = footnote.id + 1;
    return `<sup id="${referenceId(footnote)}"><a href="#fn:${number}" class="footnote-ref" role="doc-noteref">${number}</a></sup>`;
  };
  rules['footnote_block_open'] = () => '<div class="footnotes" role="doc-endnotes">\n<hr>\n<ol>\n';
  rules['footnote_block_close'] = () => '</ol>\n</div>\n';
  rules['footnote_open'] = (tokens, index) => `<li id="fn:${footnoteOf(tokens, index).id + 1}">\n`;
  rules['footnote_close'] = () => '</li>\n';
  rules['footnote_anchor'] = (tokens, index) =>
    `&#160;<a href="#${referenceId(footnoteOf(tokens, index))}" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a>`;
}
