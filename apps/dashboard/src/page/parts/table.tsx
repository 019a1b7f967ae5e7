/** Tables with column headers, in a frame that scrolls if the table is wider than the screen. */
import type { ComponentChildren } from 'preact';

/** Column title, optionally with a flag for numeric columns or visually hidden titles. */
export type Column = string | readonly [title: string, look: 'number' | 'unseen'];

/** Column of buttons. */
export const actionColumn: Column = ['Actions', 'unseen'];

/** Returns right-aligned columns. */
export function numberColumns(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => [title, 'number']);
}

interface TableProps {
  /** Omitted for tables without a header. */
  readonly columns?: readonly Column[];
  /** Columns keep their widths when the rows change. Default: `false`. */
  readonly isSteady?: boolean;
  /** Makes the table focusable for keyboard scrolling, if its content is not focusable. */
  readonly isFocusable?: boolean;
  readonly children: ComponentChildren;
}

export function Table({ columns, isSteady = false, isFocusable = false, children }: TableProps) {
  return (
    <div class="wide" tabIndex={isFocusable ? 0 : undefined}>
      <table class={classOf(columns, isSteady)} style={labelsOf(columns)}>
        {columns !== undefined && (
          <thead>
            <tr>
              {columns.map((column) => {
                const [title, kind] = typeof column === 'string' ? [column] : column;
                return (
                  <th key={title} scope="col" class={kind === 'number' ? kind : undefined}>
                    {kind === 'unseen' ? <span class="unseen">{title}</span> : title}
                  </th>
                );
              })}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Tables with more columns become cards earlier. */
const manyColumns = 7;

/** Shows the rows of narrow tables as cards, unless the columns have fixed widths. */
function classOf(columns: readonly Column[] | undefined, isSteady: boolean): string {
  if (isSteady) return 'list steady';
  if (columns === undefined) return 'list';
  return columns.length > manyColumns ? 'list cards many' : 'list cards';
}

/** Returns the titles of card cells as custom properties. The style sheet puts them before the cells. */
function labelsOf(columns: readonly Column[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.map((column, index) => {
      const [title, kind] = typeof column === 'string' ? [column] : column;
      return [`--column-${index + 1}`, kind === 'unseen' ? 'none' : JSON.stringify(title)];
    }),
  );
}
