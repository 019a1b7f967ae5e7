/** A socket without a network. The test injects input and reads the recorded output. */
import { Duplex } from 'node:stream';

/** An ordinary stream, like a TLS socket. */
export class MemorySocket extends Duplex {
  written = '';
  writes = 0;
  /** True if the server has ended its side. */
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

  receive(bytes: Buffer): void {
    if (!this.readableEnded && !this.destroyed) this.push(bytes);
  }
}
