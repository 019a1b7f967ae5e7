/** The menu. On phones, three tabs and a button for the whole menu. */
import { useSignal } from '@preact/signals';
import { version } from '../state/server.ts';
import { linkTo, place } from '../state/location.ts';
import { Wave } from '../parts/wave.tsx';
import { titles } from './views.tsx';

const onPhone = ['overview', 'sites', 'traffic'];

export function Menu() {
  const open = useSignal(false);
  const current = (view: string): { readonly 'aria-current'?: 'page' } =>
    place.value.view === view ? { 'aria-current': 'page' } : {};
  const close = (): void => void (open.value = false);
  return (
    <>
      <nav class={open.value ? 'menu open' : 'menu'} aria-label="Views">
        <div class="brand">
          <Wave /> Sluice
        </div>
        {Object.entries(titles).map(([view, title]) => (
          <a key={view} href={linkTo(view)} {...current(view)} onClick={close}>
            {title}
          </a>
        ))}
        <div class="foot">{version.value !== '' && <div>Version {version.value}</div>}</div>
      </nav>
      <nav class="tabs" aria-label="Main views">
        {onPhone.map((view) => (
          <a key={view} href={linkTo(view)} {...current(view)} onClick={close}>
            {titles[view]}
          </a>
        ))}
        <button type="button" aria-expanded={open.value} onClick={() => void (open.value = !open.value)}>
          More
        </button>
      </nav>
    </>
  );
}
