/**
 * Request bodies that no handler reads. Node takes what the window of a stream allows into memory, whoever reads it, and
 * opens the window of the connection again for it: 250 streams would hold 250 MiB. Here the window of the connection is
 * closed while its streams hold much, and opened again as they are read; what the client was granted before may still come.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { guarded, type Guarded } from '@sluice/base';
import { unreadTotal, type UnreadTotal, type Waiting } from './unread-total.ts';

/** The window of a connection whose bodies are read. */
export const fullWindow = 1024 * 1024;
/** By how much the window grows where the client has to hear of it. */
const growth = 256;

/** Counts what the streams of one connection hold. */
export class Unread implements Waiting {
  readonly #session: ServerHttp2Session;
  readonly #total: UnreadTotal;
  #held = 0;
  #closed = false;
  /** The largest window so far. */
  #window = fullWindow;

  constructor(session: ServerHttp2Session, total: UnreadTotal = unreadTotal) {
    this.#session = session;
    this.#total = total;
  }

  /** Counts the body of a stream until it is closed, whichever way it is read. Call before anything of it has come. */
  watch(stream: ServerHttp2Stream, owner: Guarded): void {
    let held = 0;
    const count = (now: number): void => {
      if (now === held) return;
      this.#held += now - held;
      this.#total.add(now - held);
      held = now;
      this.adjust();
    };
    const push = stream.push.bind(stream);
    const read = stream.read.bind(stream);
    stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      const more = push(chunk, encoding);
      count(stream.readableLength);
      return more;
    };
    stream.read = (size?: number): unknown => {
      const chunk: unknown = read(size);
      count(stream.readableLength);
      return chunk;
    };
    stream.on(
      'close',
      guarded(owner, () => {
        stream.push = push;
        stream.read = read;
        count(0);
      }),
    );
  }

  /**
   * Grows the window beyond all that it was, and so sends a frame. For a window that only becomes what it was before,
   * nghttp2 sends nothing until more bytes come, which a client that waits for the window never sends.
   */
  grow(): void {
    this.#window += growth;
    this.#session.setLocalWindowSize(this.#window);
    if (this.#closed) this.#session.setLocalWindowSize(0);
  }

  /** Closes or opens the window of the connection. */
  adjust(): void {
    const { closesAt, opensAt } = this.#total.bounds;
    if (this.#session.destroyed) {
      this.#total.leave(this);
      return;
    }
    if (!this.#closed && this.#held > closesAt) {
      this.#closed = true;
      this.#total.wait(this);
      this.#session.setLocalWindowSize(0);
    } else if (this.#closed && this.#held < opensAt) {
      this.#closed = false;
      this.#total.leave(this);
      this.grow();
    }
  }
}
