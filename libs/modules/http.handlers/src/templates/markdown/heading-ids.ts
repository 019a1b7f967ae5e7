/** Ids of headings, made of their text. */
import type { MarkdownIt } from 'markdown-it';

/** An id that is not among those that are taken, which have the number to try next for headings of the same text. */
function headingId(text: string, taken: Map<string, number>): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]/g, '-')
    .replace(/[^a-z0-9-]/g, '');
  const base = plain === '' ? 'heading' : plain;
  let id = base;
  let next = taken.get(base) ?? 1;
  for (; taken.has(id); next++) id = `${base}-${next}`;
  taken.set(id, 1);
  if (id !== base) taken.set(base, next);
  return id;
}

/** Gives all headings ids. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.after('block', 'heading_ids', (state) => {
    const taken = new Map<string, number>();
    for (const [index, token] of state.tokens.entries())
      if (token.type === 'heading_open') token.attrSet('id', headingId(state.tokens[index + 1]?.content ?? '', taken));
    return true;
  });
}
