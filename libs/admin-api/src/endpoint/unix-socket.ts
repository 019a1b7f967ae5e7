/** Runs a function that creates a Unix socket. The socket has the given permissions from the start. */
export function withMode<T>(mode: number, create: () => T): T {
  const umask = process.umask(0o777 & ~mode);
  try {
    return create();
  } finally {
    process.umask(umask);
  }
}
