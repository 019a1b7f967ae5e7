/** Tables of views: a head, and a frame in which what is wider than the screen is scrolled. */
import type { ComponentChildren } from 'preact';

/** A column: its title, and whether numbers stand in it, or its title is not shown as its rows say what it is. */
export type Column = string | readonly [title: string, look: 'number' | 'unseen'];

/** The last column of many tables. */
export const actionColumn: Column = ['Actions', 'unseen'];

/** Columns of numbers, which end at the same place on the right. */
export function numberColumns(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => [title, 'number']);
}

interface TableProps {
  /** None for a table whose rows say what they are. */
  readonly columns?: readonly Column[];
  /**
   * Cards: on a small screen each row is a card, with the labels of its cells (`data-label`). Narrow: columns fit on any
   * screen.
   */
  readonly look?: 'cards' | 'narrow';
  /** Columns keep their widths while the rows change. */
  readonly isSteady?: boolean;
  /** Nothing in it can have the focus: the table itself has it, to be scrolled by the keyboard. */
  readonly isFocusable?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** Draws it. */
export function Table({ columns, look, isSteady = false, isFocusable = false, children }: TableProps) {
  return (
    <div class="wide" tabIndex={isFocusable ? 0 : undefined}>
      <table class={`list${isSteady ? ' steady' : ''}${look === undefined ? '' : ` ${look}`}`}>
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
