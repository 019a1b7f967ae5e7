/** Notices that a file was changed. */
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type Logger } from '@sluice/registry';

/** Calls back after each change of a file, one call at a time, until aborted. Asks for its time of change once a second. */
export async function watchFile(
  path: string,
  changed: () => Promise<void>,
  log: Logger,
  signal: AbortSignal,
  interval = 1000,
): Promise<void> {
  let last = await changeTime(path);
  let missing = false;
  while (!signal.aborted) {
    try {
      await sleep(interval, null, { signal, ref: false });
    } catch {
      return;
    }
    const now = await changeTime(path);
    if (typeof now === 'string') {
      if (!missing) log.error('the configuration file cannot be watched', { file: path, error: now });
      missing = true;
      continue;
    }
    missing = false;
    if (now === last) continue;
    last = now;
    await changed();
  }
}

async function changeTime(path: string): Promise<number | string> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    return messageOf(error);
  }
}
