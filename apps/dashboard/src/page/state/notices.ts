/** Notices about the results of actions. Errors stay until they are dismissed; other notices disappear after 5 s. */
import { signal } from '@preact/signals';

export interface Notice {
  readonly id: number;
  readonly kind: 'ok' | 'bad';
  readonly text: string;
}

export const notices = signal<readonly Notice[]>([]);

let last = 0;

export function say(kind: Notice['kind'], text: string): void {
  last += 1;
  const id = last;
  notices.value = [...notices.value.slice(-4), { id, kind, text }];
  if (kind === 'ok') setTimeout(() => dismiss(id), 5000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}
