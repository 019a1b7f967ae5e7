/** Where the value stands; each part leads there. */
import type { Path } from '../../base/json.ts';

/** The path as links. */
export function Crumbs({ path, onSelect }: { path: Path; onSelect: (path: Path) => void }) {
  return (
    <nav class="crumbs" aria-label="Path">
      <button type="button" class="text" onClick={() => onSelect([])}>
        configuration
      </button>
      {path.map((key, index) => (
        <span key={index}>
          <span aria-hidden="true"> › </span>
          <button type="button" class="text" onClick={() => onSelect(path.slice(0, index + 1))}>
            {key}
          </button>
        </span>
      ))}
    </nav>
  );
}
