/** Watches loaded certificates for changes by polling, which works for every file system and storage backend. */
import { setTimeout as sleep } from 'node:timers/promises';
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { LoadedCertificate } from '@sluice/tls-app';

/** Interval at which certificates are polled for changes, in milliseconds. */
const interval = 2000;

/** A watched source. */
export interface Watched {
  /** Returns a string that changes with the source. For files, it consists of modification times and sizes. */
  readonly stamp: () => Promise<string>;
  readonly load: () => Promise<readonly LoadedCertificate[]>;
  readonly log: Logger;
}

/** Calls `changed` with the new content after each change. If the content is unreadable, logs this once and tries again later. */
export function watch(
  { stamp, load, log }: Watched,
  changed: (certificates: readonly LoadedCertificate[]) => void,
): () => void {
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    let seen = await stamp().catch(() => '');
    let reported = '';
    while (!stopped.signal.aborted) {
      await sleep(interval, null, { signal: stopped.signal, ref: false }).catch(() => null);
      if (stopped.signal.aborted) return;
      const now = await stamp().catch(() => seen);
      if (now === seen) continue;
      try {
        const certificates = await load();
        // The source changed while it was loaded, because related files are not written at the same time. The next poll handles the change.
        if ((await stamp()) !== now) continue;
        seen = now;
        changed(certificates);
      } catch (error) {
        if (reported === now) continue;
        reported = now;
        log.error('changed certificate is invalid; continuing to use the previous one', { error });
      }
    }
  };
  unawaited(taskOf('tls.certificates'), look());
  return () => stopped.abort();
}
