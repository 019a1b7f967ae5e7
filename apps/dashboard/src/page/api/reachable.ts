/** True if the last call reached the server. */
import { signal } from '@preact/signals';

/** Since when it has not responded, in milliseconds since 1970; `null` while it does. */
export const unreachableSince = signal<number | null>(null);

/** A call had a response, whatever its status. */
export function noteResponse(): void {
  unreachableSince.value = null;
}

/** A call had no response. */
export function noteNoResponse(): void {
  unreachableSince.value ??= Date.now();
}
