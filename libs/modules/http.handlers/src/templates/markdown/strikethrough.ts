/** Strikethrough: text enclosed in single or double tildes (GFM §6.5). */
import type { Delimiter, MarkdownIt, StateInline } from 'markdown-it';

const tilde = 0x7e;
/** Delimiter code for a double tilde. Because of this code, a double tilde only pairs with another double tilde. */
const twoTildes = 0x17e;

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== tilde) return false;
  const run = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(run.length);
  state.pos += run.length;
  if (run.length <= 2) {
    state.delimiters.push({
      marker: run.length === 1 ? tilde : twoTildes,
      length: 0,
      token: state.tokens.length - 1,
      end: -1,
      open: run.can_open,
      close: run.can_close,
    });
  }
  return true;
}

function markPairs(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const opener of delimiters) {
    if ((opener.marker !== tilde && opener.marker !== twoTildes) || opener.end < 0) continue;
    const closer = delimiters[opener.end];
    if (closer === undefined) continue;
    for (const [at, type, nesting] of [
      [opener.token, 'del_open', 1],
      [closer.token, 'del_close', -1],
    ] as const) {
      const token = state.tokens[at];
      if (token === undefined) continue;
      token.type = type;
      token.tag = 'del';
      token.nesting = nesting;
      token.content = '';
    }
  }
}

/** Replaces markdown-it's rule, which only supports two tildes and outputs `<s>`. */
export function strikethrough(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', tokenize);
  md.inline.ruler2.at('strikethrough', (state) => {
    markPairs(state, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters !== undefined) markPairs(state, meta.delimiters);
    return true;
  });
}
