/** Current view with its parameters, stored in the URL fragment. Browsers never send the fragment to the server. It contains no secrets. */
import { signal } from '@preact/signals';

export interface Place {
  readonly view: string;
  readonly values: Readonly<Record<string, string>>;
}

export const place = signal<Place>(placeOf(location.hash));

/** Parses a URL fragment such as `#/config?path=/apps`. */
function placeOf(hash: string): Place {
  const [view = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { view: /^[a-z]+$/.test(view) ? view : 'overview', values: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns the URL fragment of a view. */
export function linkTo(view: string, values: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(values).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

export function go(view: string, values: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(view, values);
}

/** Changes parameters of the current view without adding a browser history entry. An empty value removes a parameter. */
export function adjust(values: Readonly<Record<string, string>>): void {
  const all = Object.entries({ ...place.value.values, ...values }).filter(([, value]) => value !== '');
  history.replaceState(null, '', linkTo(place.value.view, Object.fromEntries(all)));
  place.value = placeOf(location.hash);
}

/** Subscribes to changes of the URL fragment. Must be called only once. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    place.value = placeOf(location.hash);
  });
}
