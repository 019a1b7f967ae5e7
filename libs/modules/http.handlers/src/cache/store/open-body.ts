/** A body that is too large to be kept by each thread. Its bytes stay until it is closed. */
export interface OpenBody {
  read(from: number, length: number): Buffer | Promise<Buffer>;
  close(): void;
}
