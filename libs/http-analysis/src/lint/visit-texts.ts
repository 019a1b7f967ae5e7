/** Visits every string in a value. Paths are computed on demand, because most strings are irrelevant. */
import type { Json } from '@sluice/base';

/** Calls `visit` for each string in a value, except object keys. */
export function visitTexts(node: Json, visit: (text: string, at: () => readonly string[]) => void): void {
  const way: string[] = [];
  const at = (): readonly string[] => [...way];
  const walk = (value: Json): void => {
    if (typeof value === 'string') visit(value, at);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) continue;
        way.push(String(index));
        walk(item);
        way.pop();
      }
    } else if (typeof value === 'object' && value !== null) {
      const object = value as Readonly<Record<string, Json>>;
      for (const key in object) {
        const item = object[key];
        if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) continue;
        way.push(key);
        walk(item);
        way.pop();
      }
    }
  };
  walk(node);
}
