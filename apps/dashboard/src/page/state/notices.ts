/** What came of actions. A failure stays until it is dismissed; a success goes by itself. */
import { signal } from '@preact/signals';

/** Something to be said. */
export interface Notice {
  readonly id: number;
  readonly kind: 'ok' | 'bad';
  readonly text: string;
}

/** What is said now. */
export const notices = signal<readonly Notice[]>([]);

let last = 0;

/** Says something. */
export function say(kind: Notice['kind'], text: string): void {
  last += 1;
  const id = last;
  notices.value = [...notices.value.slice(-4), { id, kind, text }];
  if (kind === 'ok') setTimeout(() => dismiss(id), 5000);
}

/** Takes it away. */
export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}
