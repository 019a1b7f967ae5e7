/** Path of the selected value, as links. */
import { valueAt, type Path } from '../../base/json.ts';
import { routeName } from '../../base/names.ts';
import { shown } from '../../state/configuration.ts';

/** Renders the path. Routes are shown with their names. */
export function Crumbs({ path, onSelect }: { path: Path; onSelect: (path: Path) => void }) {
  return (
    <nav class="crumbs" aria-label="Path">
      <button type="button" class="text" onClick={() => onSelect([])}>
        Configuration
      </button>
      {path.map((_, index) => (
        <span key={index}>
          <span aria-hidden="true"> › </span>
          <button type="button" class="text" onClick={() => onSelect(path.slice(0, index + 1))}>
            {nameOf(path, index)}
          </button>
        </span>
      ))}
    </nav>
  );
}

/** Returns the text for a key. Elements of `routes` are shown by route name. */
function nameOf(path: Path, index: number): string {
  const key = path[index] ?? '';
  if (typeof key !== 'number' || path[index - 1] !== 'routes') return String(key);
  const name = routeName(valueAt(shown.value, path.slice(0, index + 1)), key);
  return name === `routes[${key}]` ? String(key) : `${key} (${name})`;
}
