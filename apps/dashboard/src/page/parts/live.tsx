/** Texts that change by themselves. */

/** One that is another element whenever it changes: where texts end on the right they begin elsewhere, and nothing is to move. */
export function Live({ text }: { text: string }) {
  return <span key={text}>{text}</span>;
}
