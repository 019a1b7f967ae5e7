/** Transport of an HTTP/2 connection: a socket, a TLS stream, or any other byte stream. */

export const writeResult = {
  /** The write is complete. The caller may write more, and may overwrite the bytes. */
  done: 0,
  /** The write is in progress, but the caller may overwrite the bytes. `Outbound.written` reports completion. */
  copied: 1,
  /** The write is in progress, and the bytes must not change until it completes. */
  kept: 2,
} as const;

export interface ConnectionTransport {
  /** Writes `bytes[0..end)`. Not called again until the write is complete. Returns a {@link writeResult}. */
  write(bytes: Buffer, end: number): number;
  end(): void;
  destroy(): void;
}
