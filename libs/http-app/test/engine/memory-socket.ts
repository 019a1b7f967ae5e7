/** A socket without a network connection. The test injects input and reads the recorded output. */
import { Duplex } from 'node:stream';

/** An in-memory stream that behaves like an ordinary socket stream, such as a TLS socket. */
export class MemorySocket extends Duplex {
  written = '';
  writes = 0;
  /** True if the server has closed its sending side. */
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

  /** Receives the data collected while the socket was corked. */
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
