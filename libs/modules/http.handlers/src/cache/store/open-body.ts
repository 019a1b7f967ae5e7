/** A body that is too large for the cache of each thread. The bytes remain valid until the body is closed. */
export interface OpenBody {
  read(from: number, length: number): Buffer | Promise<Buffer>;
  close(): void;
}
