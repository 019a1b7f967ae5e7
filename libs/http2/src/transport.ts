/** What a connection runs on: a socket, a TLS stream, or anything else that carries bytes. */

/** What became of a write. */
export const writeResult = {
  /** It is done: more may be written at once, and the bytes may be overwritten. */
  done: 0,
  /** It is on its way, and the bytes may be overwritten. `Outbound.written` is called when more may be written. */
  copied: 1,
  /** As {@link writeResult.copied}, but the bytes are needed until then. */
  kept: 2,
} as const;

/** Takes the output of a connection. */
export interface ConnectionTransport {
  /** Writes `bytes[0..end)`. Not called again before a write is done. Gives a {@link writeResult}. */
  write(bytes: Buffer, end: number): number;
  /** Ends our side: everything was written. */
  end(): void;
  /** Closes at once. */
  destroy(): void;
}
