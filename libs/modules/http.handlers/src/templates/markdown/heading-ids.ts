/** IDs of headings, derived from the heading text. */
import type { MarkdownIt } from 'markdown-it';

/** Returns an unused ID. `taken` maps used IDs to the next number for a heading with the same text. */
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

/** Adds IDs to all headings. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.after('block', 'heading_ids', (state) => {
    const taken = new Map<string, number>();
    for (const [index, token] of state.tokens.entries())
      if (token.type === 'heading_open') token.attrSet('id', headingId(state.tokens[index + 1]?.content ?? '', taken));
    return true;
  });
}
