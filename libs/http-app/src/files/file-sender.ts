/** Loads the file sender, which sends files from the page cache. It requires `node:ffi` and is loaded when the first large file is sent. */
import type { FileSender } from '@sluice/native';

let loading: Promise<FileSender | null> | null = null;

/** Resolves to the file sender of this thread. Resolves to `null` if the platform does not support it or the native bindings are disabled. */
export function loadFileSender(): Promise<FileSender | null> {
  return (loading ??= import('@sluice/native').then(({ fileSender }) => fileSender()));
}
