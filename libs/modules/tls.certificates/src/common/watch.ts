/** Watches what a loader has loaded, by looking now and then: it works for every file system and storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { LoadedCertificate } from '@sluice/tls-app';

/** How often is looked, in milliseconds. */
const interval = 2000;

/** What is watched. */
export interface Watched {
  /** A text that is another one when something has changed, such as times and sizes of files. */
  readonly stamp: () => Promise<string>;
  readonly load: () => Promise<readonly LoadedCertificate[]>;
  readonly log: Logger;
}

/** Calls `changed` with what is there after each change; what can't be read is logged, once, and tried again. */
export function watch(
  { stamp, load, log }: Watched,
  changed: (certificates: readonly LoadedCertificate[]) => void,
): () => void {
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    let seen = await stamp().catch(() => '');
    let complained = '';
    while (!stopped.signal.aborted) {
      await sleep(interval, null, { signal: stopped.signal, ref: false }).catch(() => null);
      if (stopped.signal.aborted) return;
      const now = await stamp().catch(() => seen);
      if (now === seen) continue;
      try {
        const certificates = await load();
        // Two files that belong together are not written at once: what changed meanwhile is for the next look.
        if ((await stamp()) !== now) continue;
        seen = now;
        changed(certificates);
      } catch (error) {
        if (complained === now) continue;
        complained = now;
        log.error('changed certificate is unusable; keeping the old one', { error });
      }
    }
  };
  unawaited(taskOf('tls.certificates'), look());
  return () => stopped.abort();
}
