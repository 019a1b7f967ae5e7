/** The button that shows the secrets of a text, and hides them again. */
import type { Signal } from '@preact/signals';

/** `open`: whether they are shown. */
export function SecretsButton({ open, disabled = false }: { open: Signal<boolean>; disabled?: boolean }) {
  return (
    <button type="button" aria-pressed={open.value} disabled={disabled} onClick={() => void (open.value = !open.value)}>
      {open.value ? 'Hide secrets' : 'Show secrets'}
    </button>
  );
}
