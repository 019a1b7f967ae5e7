/** Tracks whether the last admin API call reached the server. */
import { signal } from '@preact/signals';

/** Time of the first unanswered call, in milliseconds since 1970. `null` while the server responds. */
export const unreachableSince = signal<number | null>(null);

/** Records that the server has responded, with any status. */
export function noteResponse(): void {
  unreachableSince.value = null;
}

/** Records that the server has not responded. */
export function noteNoResponse(): void {
  unreachableSince.value ??= Date.now();
}
