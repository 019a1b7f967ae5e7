/** Text in a field, which stays as it is typed while the page is drawn again for other reasons, until the field is left. */
import { useSignal } from '@preact/signals';

/** Either kind of field. */
type Field = HTMLInputElement | HTMLTextAreaElement;

interface FieldEvent {
  readonly currentTarget: Field;
}

/**
 * What a field of text is given: `text` until something is typed, which `take` gets when the field is left. What it gives
 * `false` for stays in the field.
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
