/** Sends frames that end a stream or a connection (RFC 9113 §6.4, §6.8). */
import { frameType } from './frame.ts';
import type { Outbound } from './outbound.ts';

export function sendReset(outbound: Outbound, stream: number, code: number): void {
  outbound.control(4, frameType.reset, 0, stream).uint32(code);
}

/** Sends GOAWAY with the ID of the last stream that the server will process. */
export function sendGoAway(outbound: Outbound, lastStream: number, code: number): void {
  const goAway = outbound.control(8, frameType.goAway, 0, 0);
  goAway.uint32(lastStream);
  goAway.uint32(code);
}
