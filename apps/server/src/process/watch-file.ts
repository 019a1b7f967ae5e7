/** Notices that a file was changed, or one that it imports. */
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Logger } from '@sluice/base';
import type { WatchedFiles } from './watched-files.ts';

/** How a file is watched. */
export interface WatchOptions {
  /** It and what it imports, noted by `changed` when they are read again. */
  readonly files: WatchedFiles;
  readonly log: Logger;
  /** Ends the watching. */
  readonly signal: AbortSignal;
  /** Between two looks, in milliseconds. Default: 1000. */
  readonly interval?: number;
}

/** Calls back after each change, one call at a time, until aborted. Looks once a second. */
export async function watchFile(
  path: string,
  changed: () => Promise<void>,
  { files, log, signal, interval = 1000 }: WatchOptions,
): Promise<void> {
  // A saved configuration may have been taken in its place: then it was not read yet.
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

/** Why a file cannot be watched, or `null`. */
async function problemOf(path: string): Promise<string | null> {
  try {
    await stat(path);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
