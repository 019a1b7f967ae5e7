/** The upstream of a soak, in a process of its own. */
import { KilledProcess } from './killed-process.ts';

/** An upstream that can be killed, and revived on the same port. */
export class UpstreamProcess extends KilledProcess {
  /** `keepAlive`: how long idle connections are kept, in milliseconds. */
  constructor(keepAlive = 60_000) {
    super('upstream.ts', `${keepAlive}`);
  }
}
