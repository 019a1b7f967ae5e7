/** Ids of headings, made of their text. */
import type { MarkdownIt } from 'markdown-it';

/** An id that is not among those that are taken. */
function headingId(text: string, taken: Set<string>): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]/g, '-')
    .replace(/[^a-z0-9-]/g, '');
  const base = plain === '' ? 'heading' : plain;
  let id = base;
  for (let n = 1; taken.has(id); n++) id = `${base}-${n}`;
  taken.add(id);
  return id;
}

/** Gives all headings ids. */
export function headingIds(md: MarkdownIt): void {
  md.core.ruler.after('block', 'heading_ids', (state) => {
    const taken = new Set<string>();
    for (const [index, token] of state.tokens.entries())
      if (token.type === 'heading_open') token.attrSet('id', headingId(state.tokens[index + 1]?.content ?? '', taken));
    return true;
  });
}
