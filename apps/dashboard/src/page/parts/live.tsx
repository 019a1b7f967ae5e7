/** Texts that are updated automatically. */

/** Replaces the element when the text changes, because right-aligned texts would otherwise count as layout shifts. */
export function Live({ text }: { text: string }) {
  return <span key={text}>{text}</span>;
}
