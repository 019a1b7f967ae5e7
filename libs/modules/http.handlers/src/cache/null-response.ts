/** Response object for background requests that refresh stored responses. Such requests have no client. */
import { HeaderMap } from '@sluice/http1';
import { ResponseWriter, type Chunk } from '@sluice/http-app';

export class NullResponse extends ResponseWriter {
  readonly headers = new HeaderMap();
  status = 0;
  ended = false;
  size = 0;

  override get holds(): boolean {
    return false;
  }

  writeHead(status: number): void {
    if (this.status === 0 && status >= 200) this.status = status;
  }

  writeInformational(): boolean {
    return true;
  }

  write(chunk: Chunk): boolean {
    this.writeHead(200);
    this.size += chunk.length;
    return true;
  }

  end(): void {
    this.writeHead(200);
    this.ended = true;
  }

  flush(): void {}

  drained(): Promise<void> {
    return Promise.resolve();
  }

  setTrailers(): void {}
}
