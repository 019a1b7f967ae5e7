/** An open response body that is too large for the per-thread cache. Its bytes remain valid until it is closed. */
export interface OpenBody {
  read(from: number, length: number): Buffer | Promise<Buffer>;
  close(): void;
}
