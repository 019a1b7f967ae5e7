/** Watches a configuration file and its imports for changes. */
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Logger } from '@sluice/base';
import type { WatchedFiles } from './watched-files.ts';

export interface WatchOptions {
  /** The configuration file and its imports. Reading `changed` updates the recorded state. */
  readonly files: WatchedFiles;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Polling interval for file changes, in milliseconds. Default: 1000. */
  readonly interval?: number;
}

/** Calls the callback after each change until aborted. Calls never overlap. Polls once a second by default. */
export async function watchFile(
  path: string,
  changed: () => Promise<void>,
  { files, log, signal, interval = 1000 }: WatchOptions,
): Promise<void> {
  // Record the state now. If a saved configuration was used, the file has not been read yet.
  files.note(path);
  let missing = false;
  while (!signal.aborted) {
    try {
      await sleep(interval, null, { signal, ref: false });
    } catch {
      return;
    }
    const error = await problemOf(path);
    if (error !== null) {
      if (!missing) log.error('failed to watch the configuration file', { file: path, error });
      missing = true;
      continue;
    }
    missing = false;
    if (files.changed) await changed();
  }
}

/** Returns the reason why a file cannot be watched, or `null`. */
async function problemOf(path: string): Promise<string | null> {
  try {
    await stat(path);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
