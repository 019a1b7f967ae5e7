/** Footnotes, written as the reference writes them. */
import type { MarkdownIt, Token } from 'markdown-it';
import plugin from 'markdown-it-footnote';

interface Footnote {
  /** From 0. */
  readonly id: number;
  /** Which reference to it, from 0. */
  readonly subId: number;
}

function footnoteOf(tokens: readonly Token[], index: number): Footnote {
  return tokens[index]?.meta as unknown as Footnote;
}

/** Id of a reference: the second and further ones to a note have a number. */
function referenceId({ id, subId }: Footnote): string {
  return `fnref${subId > 0 ? subId : ''}:${id + 1}`;
}

/** Adds the rules for `[^1]`; notes within the line (`^[…]`) are off. */
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
