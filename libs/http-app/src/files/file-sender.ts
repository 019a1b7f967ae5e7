/** Loads the sender of files from the page cache, which needs `node:ffi`, when the first large file is sent. */
import type { FileSender } from '@sluice/native';

let loading: Promise<FileSender | null> | null = null;

/** Resolves to the sender of this thread, or to `null` if the platform has none or the bindings are off. */
export function loadFileSender(): Promise<FileSender | null> {
  return (loading ??= import('@sluice/native').then(({ fileSender }) => fileSender()));
}
