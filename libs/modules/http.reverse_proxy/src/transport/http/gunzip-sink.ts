/** Decodes gzip responses for clients that did not request gzip. For these clients, the transport itself requested gzip. */
import { constants, createGunzip, type Gunzip } from 'node:zlib';
import { UpstreamError, type UpstreamSink } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';

/** Response sink that decodes gzip and passes the content to another sink. */
export class GunzipSink implements UpstreamSink {
  readonly borrows = false;
  readonly holds = true;
  readonly #sink: UpstreamSink;
  readonly #resumeSource: () => void;
  readonly #gunzip: Gunzip = createGunzip({ flush: constants.Z_SYNC_FLUSH });
  #trailers: HeaderMap | null = null;
  /** Error that ended the encoded body prematurely, or `null`. */
  #cut: Error | null = null;
  #over = false;

  /** `owner` handles exceptions in callbacks. `resumeSource` resumes delivery of the encoded body. */
  constructor(sink: UpstreamSink, owner: Guarded, resumeSource: () => void) {
    this.#sink = sink;
    this.#resumeSource = resumeSource;
    const gunzip = this.#gunzip;
    gunzip.on(
      'data',
      guarded(owner, (chunk: Buffer) => {
        if (this.#over) return;
        if (!sink.onData(chunk)) gunzip.pause();
        sink.onLull();
      }),
    );
    gunzip.on('drain', guarded(owner, resumeSource));
    gunzip.on(
      'end',
      guarded(owner, () =>
        this.#end(() => (this.#cut === null ? sink.onEnd(this.#trailers) : sink.onError(this.#cut))),
      ),
    );
    gunzip.on(
      'error',
      guarded(owner, (error: Error) =>
        this.#end(() =>
          sink.onError(
            this.#cut ?? new UpstreamError('malformed', `the upstream sent invalid gzip data: ${error.message}`, error),
          ),
        ),
      ),
    );
  }

  resume(): void {
    this.#gunzip.resume();
    this.#resumeSource();
  }

  stop(): void {
    this.#end(() => {});
    this.#gunzip.destroy();
  }

  #end(report: () => void): void {
    if (this.#over) return;
    this.#over = true;
    report();
  }

  onInformational(status: number, headers: HeaderMap): boolean {
    return this.#sink.onInformational(status, headers);
  }

  onHead(status: number, proto: string, headers: HeaderMap, length: number): boolean {
    const flows = this.#sink.onHead(status, proto, headers, length);
    if (!flows) this.#gunzip.pause();
    return flows;
  }

  onSpan(bytes: Buffer, from: number, to: number): boolean {
    return this.onData(Buffer.from(bytes.subarray(from, to)));
  }

  onData(chunk: Buffer): boolean {
    return this.#gunzip.write(chunk);
  }

  onLull(): void {}

  onEnd(trailers: HeaderMap | null): void {
    this.#trailers = trailers;
    this.#gunzip.end();
  }

  onUpgrade(headers: HeaderMap, socket: Duplex, head: Buffer): void {
    this.#sink.onUpgrade(headers, socket, head);
  }

  /** Delivers the data received before the error, then the error. */
  onError(error: Error): void {
    this.#cut = error;
    this.#gunzip.end();
  }
}
