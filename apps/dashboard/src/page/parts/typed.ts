/** Unfinished input of a text field. The input survives re-rendering until the field loses focus. */
import { useSignal } from '@preact/signals';

/** A single-line or multi-line text field. */
type Field = HTMLInputElement | HTMLTextAreaElement;

interface FieldEvent {
  readonly currentTarget: Field;
}

/**
 * Returns props for a text field that shows `text` until the user types. `take` receives the input when the field loses focus. If `take`
 * returns `false`, the field keeps the input.
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
