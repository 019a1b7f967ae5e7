/** Button that shows or hides the secrets in text. */
import type { Signal } from '@preact/signals';

/** `open`: true if secrets are visible. */
export function SecretsButton({ open, disabled = false }: { open: Signal<boolean>; disabled?: boolean }) {
  return (
    <button type="button" aria-pressed={open.value} disabled={disabled} onClick={() => void (open.value = !open.value)}>
      {open.value ? 'Hide secrets' : 'Show secrets'}
    </button>
  );
}
