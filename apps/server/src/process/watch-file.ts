/** Notices that a file was changed. */
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Logger } from '@sluice/base';

/** How a file is watched. */
export interface WatchOptions {
  readonly log: Logger;
  /** Ends the watching. */
  readonly signal: AbortSignal;
  /** Between two looks, in milliseconds. Default: 1000. */
  readonly interval?: number;
}

/**
 * Calls back after each change of a file, one call at a time, until aborted. Asks once a second for its time of change,
 * size and inode: two writes within the tick of a clock, and a file put in place of another, are changes too.
 */
export async function watchFile(
  path: string,
  changed: () => Promise<void>,
  { log, signal, interval = 1000 }: WatchOptions,
): Promise<void> {
  let last = (await stateOf(path)).state;
  let missing = false;
  while (!signal.aborted) {
    try {
      await sleep(interval, null, { signal, ref: false });
    } catch {
      return;
    }
    const { state: now, error } = await stateOf(path);
    if (error !== null) {
      if (!missing) log.error('the configuration file cannot be watched', { file: path, error });
      missing = true;
      continue;
    }
    missing = false;
    if (now === last) continue;
    last = now;
    await changed();
  }
}

interface FileState {
  readonly state: string;
  /** Why it could not be asked, or `null`. */
  readonly error: string | null;
}

async function stateOf(path: string): Promise<FileState> {
  try {
    const { mtimeNs, size, ino } = await stat(path, { bigint: true });
    return { state: `${mtimeNs} ${size} ${ino}`, error: null };
  } catch (error) {
    return { state: '', error: messageOf(error) };
  }
}
