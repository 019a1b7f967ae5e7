/** Settings of the peer (RFC 9113 §6.5.2). */
import { errorCode } from './error-code.ts';
import type { Frame } from './frame-reader.ts';
import { defaultFrameSize, largestWindow, readUint32, setting } from './frame.ts';
import type { HpackEncoder } from './hpack/encoder.ts';

/** What a peer has set. */
export interface PeerSettings {
  /** Window of new streams towards it, in bytes. */
  initialWindow: number;
}

const largestFrameSize = 2 ** 24 - 1;

/** Takes the settings of a frame. Gives the error that they are, or `noError`. */
export function applySettings({ bytes, at, end }: Frame, peer: PeerSettings, encoder: HpackEncoder): number {
  if ((end - at) % 6 !== 0) return errorCode.frameSizeError;
  for (let i = at; i < end; i += 6) {
    const id = ((bytes[i] as number) << 8) | (bytes[i + 1] as number);
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
