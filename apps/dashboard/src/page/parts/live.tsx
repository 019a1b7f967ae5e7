/** Texts that are updated automatically. */

/**
 * Replaces the element when the text changes, because the browser would otherwise count the movement of right-aligned
 * text as a layout shift.
 */
export function Live({ text }: { text: string }) {
  return <span key={text}>{text}</span>;
}
