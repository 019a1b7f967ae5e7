/** Visible rows of the configuration tree: expanded nodes or search results. */
import { count } from './format.ts';
import { isList, isObject, type Json, type Path } from './json.ts';
import { pointerOf } from './paths.ts';
import { hidden, isSecret } from './secrets.ts';

export interface Row {
  readonly path: Path;
  readonly pointer: string;
  readonly key: string;
  readonly value: Json;
  readonly depth: number;
  /** True if the tree node has children. */
  readonly inner: boolean;
  readonly open: boolean;
  /** Position of the row among its siblings, starting at 1, and the number of siblings. */
  readonly position: number;
  readonly size: number;
}

/** Maximum number of search results in the configuration tree. */
const maxFound = 1000;

/** Returns the rows of all expanded nodes. */
export function rowsOf(root: Json | undefined, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const visit = (value: Json, path: Path, pointer: string): void => {
    const entries = entriesOf(value);
    for (const [index, [key, item]] of entries.entries()) {
      const below = [...path, key];
      const at = pointer + pointerOf([key]);
      const inner = sizeOf(item) > 0;
      const isOpen = inner && open.has(at);
      rows.push({
        path: below,
        pointer: at,
        key: String(key),
        value: item,
        depth: path.length,
        inner,
        open: isOpen,
        position: index + 1,
        size: entries.length,
      });
      if (isOpen) visit(item, below, at);
    }
  };
  if (root !== undefined) visit(root, [], '');
  return rows;
}

/** Returns the rows whose key or value contains a string, ignoring case. */
export function search(root: Json | undefined, text: string): Row[] {
  const wanted = text.toLowerCase();
  const rows: Row[] = [];
  const path: (string | number)[] = [];
  const visit = (value: Json): void => {
    if (rows.length >= maxFound) return;
    for (const [key, item] of entriesOf(value)) {
      path.push(key);
      const inside = typeof item === 'object' && item !== null;
      const hit =
        (!inside && String(item).toLowerCase().includes(wanted)) ||
        (typeof key === 'string' && key.toLowerCase().includes(wanted));
      if (hit && rows.length < maxFound) rows.push(found([...path], item));
      if (inside) visit(item);
      path.pop();
    }
  };
  if (root !== undefined && wanted !== '') visit(root);
  return rows;
}

/** Returns the JSON Pointers of all nodes that must be expanded to show a path. */
export function above(path: Path): string[] {
  return path.map((_, index) => pointerOf(path.slice(0, index + 1)));
}

/** Returns the value or a summary of a row, with masked secrets. */
export function summaryOf(value: Json, path: Path = []): string {
  // Mask only strings and numbers, because a boolean reveals no secret.
  if ((typeof value === 'string' || typeof value === 'number') && isSecret(path)) return hidden;
  if (isList(value) && isSecret(path)) return count(value.length, 'element');
  if (isList(value)) {
    const texts = value.every((item) => typeof item === 'string') ? value.join(', ') : '';
    return texts === '' ? count(value.length, 'element') : texts;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const id = typeof value['@id'] === 'string' ? `@${value['@id']} ` : '';
  return id + (kindOf(value) || matchOf(value) || count(Object.keys(value).length, 'key'));
}

const kinds = ['handler', 'module', 'provider', 'format', 'output', 'policy', 'loader', 'protocol', 'name', 'dial'];

function kindOf(value: { readonly [key: string]: Json }): string {
  const key = kinds.find((each) => typeof value[each] === 'string');
  return key === undefined ? '' : String(value[key]);
}

/** Formats the matchers and handlers of a route as text. */
function matchOf({ match, handle }: { readonly [key: string]: Json }): string {
  const sets = isList(match) ? match.filter(isObject) : [];
  const wanted = sets.flatMap((set) => Object.values(set).map((item) => (isList(item) ? item.join(', ') : '…')));
  const handlers = isList(handle) ? handle.filter(isObject).map(kindOf) : [];
  return [wanted.join(' or '), handlers.join(', ')].filter((part) => part !== '').join(' → ');
}

function found(path: Path, value: Json): Row {
  return {
    path,
    pointer: pointerOf(path),
    key: String(path.at(-1) ?? ''),
    value,
    depth: 0,
    inner: sizeOf(value) > 0,
    open: false,
    position: 1,
    size: 1,
  };
}

function entriesOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (isList(value)) return value.map((item, index) => [index, item] as const);
  return isObject(value) ? Object.entries(value) : [];
}

function sizeOf(value: Json): number {
  return isList(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
}
