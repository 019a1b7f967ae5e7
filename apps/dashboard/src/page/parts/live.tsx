/** Texts that are updated automatically. */

/** Replaces the element when the text changes, because right-aligned text would otherwise count as a layout shift. */
export function Live({ text }: { text: string }) {
  return <span key={text}>{text}</span>;
}
