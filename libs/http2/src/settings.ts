/** HTTP/2 settings of peers and servers (RFC 9113 §6.5.2). */
import { byteAt } from '@sluice/base';
import { errorCode } from './error-code.ts';
import type { Frame } from './frame-reader.ts';
import { defaultFrameSize, defaultWindow, frameType, largestWindow, readUint32, setting } from './frame.ts';
import type { HpackEncoder } from './hpack/encoder.ts';
import type { Outbound } from './outbound.ts';

export interface PeerSettings {
  /** Initial send window of new streams, in bytes. */
  initialWindow: number;
}

const largestFrameSize = 2 ** 24 - 1;

/** Applies the settings in a SETTINGS frame. Returns an error code, or `noError`. */
export function applySettings({ bytes, at, end }: Frame, peer: PeerSettings, encoder: HpackEncoder): number {
  if ((end - at) % 6 !== 0) return errorCode.frameSizeError;
  for (let i = at; i < end; i += 6) {
    const id = (byteAt(bytes, i) << 8) | byteAt(bytes, i + 1);
    const value = readUint32(bytes, i + 2);
    if (id === setting.headerTableSize) encoder.setLimit(value);
    else if (id === setting.initialWindowSize) {
      if (value > largestWindow) return errorCode.flowControlError;
      peer.initialWindow = value;
    } else if (id === setting.enablePush || id === setting.enableConnectProtocol) {
      if (value > 1) return errorCode.protocolError;
    } else if (id === setting.maxFrameSize && (value < defaultFrameSize || value > largestFrameSize))
      return errorCode.protocolError;
  }
  return errorCode.noError;
}

/** Limits that a server sets for its HTTP/2 clients. */
export interface ServerOptions {
  /** Maximum number of concurrent streams per connection. */
  readonly maxStreams: number;
  /**
   * Receive window of a stream, in bytes. `connectionWindow` is the window of the connection. Clients may send this much before the server
   * consumes data.
   */
  readonly streamWindow: number;
  readonly connectionWindow: number;
}

/** Sends the server's settings. `maxFieldBytes` is the maximum size of a field list (RFC 9113 §6.5.2). */
export function advertise(outbound: Outbound, options: ServerOptions, maxFieldBytes: number): void {
  const settings: readonly (readonly [id: number, value: number])[] = [
    [setting.maxConcurrentStreams, options.maxStreams],
    [setting.initialWindowSize, options.streamWindow],
    [setting.maxHeaderListSize, maxFieldBytes],
    [setting.enableConnectProtocol, 1],
    [setting.noRfc7540Priorities, 1],
  ];
  const output = outbound.control(settings.length * 6, frameType.settings, 0, 0);
  for (const [id, value] of settings) {
    output.uint16(id);
    output.uint32(value);
  }
  outbound.control(4, frameType.windowUpdate, 0, 0).uint32(options.connectionWindow - defaultWindow);
}
