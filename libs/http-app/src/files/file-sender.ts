/** Loads the page-cache file sender, which needs `node:ffi`, when the first large file is sent. */
import type { FileSender } from '@sluice/native';

let loading: Promise<FileSender | null> | null = null;

/** Resolves to this thread's sender, or to `null` if the platform has none or the bindings are disabled. */
export function loadFileSender(): Promise<FileSender | null> {
  return (loading ??= import('@sluice/native').then(({ fileSender }) => fileSender()));
}
