/** Runs a function that creates a socket with these permissions from the start. */
export function withMode<T>(mode: number, create: () => T): T {
  const umask = process.umask(0o777 & ~mode);
  try {
    return create();
  } finally {
    process.umask(umask);
  }
}
