/** A search field that filters while typing. */

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onFind: (text: string) => void;
}

/** Renders the field. */
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
