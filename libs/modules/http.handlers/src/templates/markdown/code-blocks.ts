/** Renders code blocks. Each line is in a span, with classes for a Pygments or Chroma style sheet. */
import { escapeHtml } from '@sluice/base';
import type { MarkdownIt } from 'markdown-it';
import { highlightLines, type Piece } from './highlight.ts';

/** Maximum length of highlighted code, in characters. */
const maxHighlighted = 256 * 1024;

/** Options of a code block, such as `{linenos=true, hl_lines=[1, "3-5"]}` after the language. */
interface BlockOptions {
  readonly numbered: boolean;
  readonly marked: ReadonlySet<number>;
}

function optionsOf(info: string): BlockOptions {
  const marked = new Set<number>();
  for (const [, first, last] of (/hl_lines=\[([^\]]*)\]/.exec(info)?.[1] ?? '').matchAll(/(\d{1,6})(?:-(\d{1,6}))?/g)) {
    const end = Math.min(Number(last ?? first), Number(first) + 10_000);
    for (let line = Number(first); line <= end; line++) marked.add(line);
  }
  return { numbered: /linenos=(?:true|inline|table|"?1"?)/.test(info), marked };
}

/** Replaces the rendering of fenced and indented code blocks. */
export function codeBlocks(md: MarkdownIt): void {
  const { rules } = md.renderer;
  const { utils } = md;
  rules['fence'] = (tokens, index) => {
    const token = tokens[index];
    const info = utils.unescapeAll(token?.info ?? '').trim();
    const code = token?.content ?? '';
    const language = /^[^\s{]*/.exec(info)?.[0] ?? '';
    const lines = language === '' || code.length > maxHighlighted ? null : highlightLines(code, language);
    if (lines !== null) return `<pre class="chroma"><code>${writeLines(lines, optionsOf(info))}</code></pre>`;
    const name = language === '' ? '' : ` class="language-${utils.escapeHtml(language)}"`;
    return `<pre><code${name}>${utils.escapeHtml(code)}</code></pre>\n`;
  };
}

function writeLines(lines: readonly (readonly Piece[])[], { marked, numbered }: BlockOptions): string {
  const width = String(lines.length).length;
  let html = '';
  for (const [index, line] of lines.entries()) {
    const number = numbered ? `<span class="ln">${String(index + 1).padStart(width)}</span>` : '';
    html += `<span class="line${marked.has(index + 1) ? ' hl' : ''}">${number}<span class="cl">${line.map(writePiece).join('')}</span></span>`;
  }
  return html;
}

function writePiece({ text, type }: Piece): string {
  const escaped = escapeHtml(text);
  return type === '' ? escaped : `<span class="${type}">${escaped}</span>`;
}
