/** A socket without a network. The engine reads injected data, and its output is recorded. */
import { Duplex } from 'node:stream';

/** An ordinary stream, as a TLS socket is. */
export class MemorySocket extends Duplex {
  /** One character per byte. */
  written = '';
  /** Writes that reached the socket. */
  writes = 0;
  /** The engine has ended its half. */
  finished = false;

  constructor() {
    super({ allowHalfOpen: true, decodeStrings: true });
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString('latin1');
    this.writes++;
    done();
  }

  /** Data collected while the socket was corked. */
  override _writev(chunks: { chunk: Buffer; encoding: string }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done);
  }

  override _final(done: () => void): void {
    this.finished = true;
    done();
  }

  /** Delivers input. */
  receive(bytes: Buffer): void {
    if (!this.readableEnded && !this.destroyed) this.push(bytes);
  }
}
