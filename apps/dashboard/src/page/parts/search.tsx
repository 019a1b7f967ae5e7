/** The field by which a view is searched as one types. */

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onFind: (text: string) => void;
}

/** Draws it. */
export function Search({ label, value, onFind }: SearchProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => onFind(event.currentTarget.value)}
    />
  );
}
