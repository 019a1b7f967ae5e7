/** Titles by key. */
interface TabsProps {
  readonly label: string;
  readonly tabs: Readonly<Record<string, string>>;
  readonly selected: string;
  readonly onSelect: (key: string) => void;
}

/** Renders the tabs. The arrow keys move between tabs. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const keys = Object.keys(tabs);
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const next = (keys.indexOf(selected) + step + keys.length) % keys.length;
    onSelect(keys[next] ?? selected);
    (event.currentTarget.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabrow" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {Object.entries(tabs).map(([key, title]) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === selected}
          tabIndex={key === selected ? 0 : -1}
          onClick={() => onSelect(key)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
