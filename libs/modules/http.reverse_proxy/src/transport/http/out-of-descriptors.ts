import type { UpstreamError } from '@sluice/http-app';

/** Reports whether a connection failed because the process or the system has run out of file descriptors. */
export function isOutOfDescriptors({ cause }: UpstreamError): boolean {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code === 'EMFILE' || code === 'ENFILE';
}
