/** Which view is shown, and with what: in the fragment of the address, which is never sent. It holds no secret. */
import { signal } from '@preact/signals';

/** A view with its parameters. */
export interface Place {
  readonly view: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Where the page is. */
export const place = signal<Place>(placeOf(location.hash));

/** `#/config?path=/apps` as a place. */
export function placeOf(hash: string): Place {
  const [view = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { view: /^[a-z]+$/.test(view) ? view : 'overview', values: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a place. */
export function linkTo(view: string, values: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(values).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** Goes to a place. */
export function go(view: string, values: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(view, values);
}

/** Changes parameters of the view that is shown, without a step in the history of the browser. An empty text removes one. */
export function adjust(values: Readonly<Record<string, string>>): void {
  const all = Object.entries({ ...place.value.values, ...values }).filter(([, value]) => value !== '');
  history.replaceState(null, '', linkTo(place.value.view, Object.fromEntries(all)));
  place.value = placeOf(location.hash);
}

/** Follows the address. Called once. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    place.value = placeOf(location.hash);
  });
}
