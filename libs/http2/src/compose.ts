/** Writes body data, and field blocks that span several frames, to the output. */
import { itemAt } from '@sluice/base';
import { defaultFrameSize, frameFlag, frameHeaderSize, frameType } from './frame.ts';
import type { Output } from './output.ts';
import type { Http2Stream } from './stream.ts';

/** Type of a HEADERS frame, in the format that `Output.frameAt` expects. */
export const headersFrame: number = frameType.headers << 8;
const continuationFrame = frameType.continuation << 8;

/** Moves `length` bytes of a stream to the output. */
export function takePieces(output: Output, stream: Http2Stream, length: number): void {
  const { pieces } = stream;
  let left = length;
  let used = 0;
  while (left > 0) {
    const piece = itemAt(pieces, used);
    const end = Math.min(piece.length, stream.offset + left);
    output.copy(piece, stream.offset, end);
    left -= end - stream.offset;
    stream.offset = end === piece.length ? 0 : end;
    if (stream.offset === 0) used++;
  }
  if (used === pieces.length) pieces.length = 0;
  else if (used > 0) pieces.splice(0, used);
  stream.queued -= length;
}

/** Splits the field block at `start` into several frames, because it exceeds the maximum frame size. */
export function splitBlock(output: Output, start: number, flags: number, stream: number): void {
  const block = Buffer.from(output.bytes.subarray(start + frameHeaderSize, output.end));
  output.end = start;
  for (let at = 0; at < block.length; at += defaultFrameSize) {
    const end = Math.min(block.length, at + defaultFrameSize);
    output.reserve(frameHeaderSize + end - at);
    const kind = at === 0 ? headersFrame | flags : continuationFrame;
    output.frameAt(output.end, end - at, end === block.length ? kind | frameFlag.endHeaders : kind, stream);
    output.end += frameHeaderSize;
    output.copy(block, at, end);
  }
}
