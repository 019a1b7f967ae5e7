/** Runs the upstream of a soak test in a separate process. */
import { KilledProcess } from './killed-process.ts';

/** An upstream that can be killed and restarted on the same port. */
export class UpstreamProcess extends KilledProcess {
  /** `keepAlive` is the idle timeout of connections, in milliseconds. */
  constructor(keepAlive = 60_000) {
    super('upstream.ts', `${keepAlive}`);
  }
}
