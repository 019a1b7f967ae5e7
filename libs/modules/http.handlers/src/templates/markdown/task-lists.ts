/** Task lists: list items that begin with a checkbox, `[ ]` or `[x]` (GFM §5.3). */
import type { MarkdownIt } from 'markdown-it';

const box = /^\[([\sxX])\]\s*/;

/** Renders checkboxes in list items as disabled inputs. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('block', 'task_boxes', (state) => {
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'inline' || state.tokens[index - 2]?.type !== 'list_item_open') continue;
      const match = box.exec(token.content);
      if (match === null) continue;
      token.content = token.content.slice(match[0].length);
      token.meta = { task: /[xX]/.test(match[1] ?? '') };
    }
    return true;
  });
  md.core.ruler.after('inline', 'task_lists', (state) => {
    for (const token of state.tokens) {
      const task: unknown = (token.meta as { task?: unknown } | null)?.task;
      if (token.type !== 'inline' || typeof task !== 'boolean') continue;
      const input = new state.Token('html_inline', '', 0);
      input.content = `<input ${task ? 'checked="" ' : ''}disabled="" type="checkbox"> `;
      token.children = [input, ...(token.children ?? [])];
    }
    return true;
  });
}
