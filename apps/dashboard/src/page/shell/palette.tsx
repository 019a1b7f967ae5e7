/** The command palette (Ctrl+K): opens a view, host, `@id`, path, upstream or certificate. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isList, isObject, type Json, type Path } from '../base/json.ts';
import { parsePointer, pointerOf, whereOf } from '../base/paths.ts';
import { sitesOf } from '../base/sites.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shown } from '../state/configuration.ts';
import { certificates, upstreams } from '../state/health.ts';
import { linkTo } from '../state/location.ts';
import { titles } from './views.tsx';

interface Target {
  readonly kind: string;
  readonly text: string;
  readonly link: string;
}

const maxTargets = 50;

/** Renders the button in the bar, and the dialog that the button and Ctrl+K open. */
export function Palette() {
  const open = useSignal(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="find" onClick={() => void (open.value = true)}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      {open.value && <Finder onClose={() => void (open.value = false)} />}
    </>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const text = useSignal('');
  const active = useSignal(0);
  const document = shown.value;
  const all = useMemo(() => targetsIn(document), [document]);
  const found = matching(all, text.value);
  const to = (target: Target | undefined): void => {
    if (target === undefined) return;
    location.hash = target.link;
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') active.value = Math.min(active.value + 1, found.length - 1);
    else if (event.key === 'ArrowUp') active.value = Math.max(active.value - 1, 0);
    // The latest input may not be rendered yet.
    else if (event.key === 'Enter') to(matching(all, text.value)[active.value]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div class="pad finder">
        <input
          autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="targets"
          aria-activedescendant={found.length === 0 ? undefined : `target-${active.value}`}
          aria-label="View, host, @id, path, upstream or certificate"
          placeholder="View, host, @id, path, upstream or certificate"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            active.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <ul id="targets" role="listbox" aria-label="Results">
          {found.map((target, index) => (
            <li
              key={target.link + target.text}
              id={`target-${index}`}
              role="option"
              aria-selected={index === active.value}
              class={index === active.value ? 'selected' : undefined}
              onClick={() => to(target)}
            >
              <span>{target.text}</span> <span class="soft">{target.kind}</span>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="soft">No matches.</p>}
      </div>
    </Dialog>
  );
}

/** Returns all possible targets. */
function targetsIn(document: Json | undefined): Target[] {
  const views = Object.entries(titles).map(([view, text]) => ({ kind: 'view', text, link: linkTo(view) }));
  const hosts = sitesOf(document).flatMap(({ hosts: names, path }) =>
    names.map((text) => ({ kind: 'host', text, link: linkTo('config', { path: pointerOf(path) }) })),
  );
  const addresses = (upstreams.value ?? []).map(({ address }) => ({
    kind: 'upstream',
    text: address,
    link: linkTo('upstreams'),
  }));
  const names = (certificates.value ?? []).flatMap(({ identifier, names: all = [] }) =>
    [...new Set([identifier ?? '', ...all])]
      .filter((name) => name !== '')
      .map((text) => ({ kind: 'certificate', text, link: linkTo('certificates', { find: text }) })),
  );
  return [...views, ...idsIn(document), ...hosts, ...addresses, ...names];
}

function idsIn(document: Json | undefined): Target[] {
  const found: Target[] = [];
  const visit = (value: Json | undefined, path: Path): void => {
    if (isList(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    if (!isObject(value)) return;
    const id = value['@id'];
    if (typeof id === 'string' || typeof id === 'number')
      found.push({ kind: '@id', text: String(id), link: linkTo('config', { path: pointerOf(path) }) });
    for (const [key, item] of Object.entries(value)) if (typeof item === 'object') visit(item, [...path, key]);
  };
  visit(document, []);
  return found;
}

/** Returns matching targets, with prefix matches first. A text that begins with a slash is itself a target. */
function matching(all: readonly Target[], text: string): Target[] {
  const wanted = text.trim().toLowerCase();
  if (wanted.startsWith('/'))
    return [{ kind: 'path', text: whereOf(parsePointer(text.trim())), link: linkTo('config', { path: text.trim() }) }];
  const found = all.filter((each) => each.text.toLowerCase().includes(wanted));
  return found
    .sort((a, b) => Number(b.text.toLowerCase().startsWith(wanted)) - Number(a.text.toLowerCase().startsWith(wanted)))
    .slice(0, maxTargets);
}
