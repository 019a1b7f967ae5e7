/** True if the last call reached the server. */
import { signal } from '@preact/signals';

/** Time of the first missing response, in milliseconds since 1970; `null` while the server responds. */
export const unreachableSince = signal<number | null>(null);

/** Records a response with any status. */
export function noteResponse(): void {
  unreachableSince.value = null;
}

/** Records a missing response. */
export function noteNoResponse(): void {
  unreachableSince.value ??= Date.now();
}
