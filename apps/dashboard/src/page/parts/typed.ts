/** Unfinished input of a field. The input survives re-rendering until the field loses focus. */
import { useSignal } from '@preact/signals';

/** A single-line or multi-line field. */
type Field = HTMLInputElement | HTMLTextAreaElement;

interface FieldEvent {
  readonly currentTarget: Field;
}

/**
 * Returns props for a text field: `text` until the user types. `take` receives the input when the field loses focus; if it returns `false`,
 * the input stays in the field.
 */
export function useTyped(text: string, take: (typed: string) => boolean | void) {
  const typed = useSignal<string | null>(null);
  const leave = ({ currentTarget }: FieldEvent): void => {
    if (typed.value === null) return;
    if (currentTarget.value === text || take(currentTarget.value) !== false) typed.value = null;
  };
  return {
    value: typed.value ?? text,
    onInput: ({ currentTarget }: FieldEvent): void => void (typed.value = currentTarget.value),
    onChange: leave,
    onBlur: leave,
  };
}
