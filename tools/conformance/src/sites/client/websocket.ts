/** A WebSocket client that sends strings and waits for each to be echoed. */
import type { Socket } from 'node:net';
import { readMessage } from '../../differential/message.ts';
import type { SiteRequest } from '../step.ts';
import { bytesOf } from './http1.ts';
import { responseLines } from './response-lines.ts';

/** Headers of the WebSocket handshake, with the Sec-WebSocket-Key from RFC 6455 §1.3. The matching Sec-WebSocket-Accept is known. */
const opening: SiteRequest['fields'] = [
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

/** Default timeout of the whole session, in milliseconds. */
const defaultTimeout = 4000;

/** Runs a WebSocket session. Returns the handshake response and the received frames. */
export function askWebSocket(socket: Socket, request: SiteRequest): Promise<string[]> {
  const texts = [...(request.settings.send ?? []), null];
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    let from = -1;
    let sent = 0;
    const lines: string[] = [];
    const timer = setTimeout(() => socket.destroy(), defaultTimeout);
    const send = (): void => {
      const next = texts[sent++];
      if (next !== undefined) socket.write(frame(next));
    };
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (from < 0) {
        const message = readMessage(bytes, 0, 'bodiless', false);
        if (message === null) return;
        if (!message.start.includes(' 101 ')) {
          // The server keeps the connection open for another request after it rejects an upgrade.
          if (readMessage(bytes, 0, 'response', false)?.complete === true) socket.destroy();
          return;
        }
        lines.push(...responseLines({ ...message, status: '101' }));
        from = message.end;
        send();
      }
      for (; bytes.length >= from + 2 && bytes.length >= from + 2 + (bytes[from + 1] ?? 0);) {
        const length = bytes[from + 1] ?? 0;
        lines.push(`frame ${bytes[from] ?? 0}: ${bytes.toString('latin1', from + 2, from + 2 + length)}`);
        from += 2 + length;
        send();
      }
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const message = from < 0 ? readMessage(bytes, 0, 'response', true) : null;
      if (message !== null) lines.push(...responseLines({ ...message, status: message.start.slice(9, 12) }));
      resolve([...lines, 'closed']);
    });
    socket.write(bytesOf({ ...request, method: 'GET', fields: [...opening, ...request.fields] }, 'Upgrade'));
  });
}

/** Encodes a masked text frame of up to 125 bytes. `null` encodes a close frame. */
function frame(text: string | null): Buffer {
  const content = text === null ? Buffer.from([3, 232]) : Buffer.from(text, 'latin1');
  const mask = Buffer.from([1, 2, 3, 4]);
  const head = Buffer.from([text === null ? 0x88 : 0x81, 0x80 | content.length]);
  return Buffer.concat([head, mask, content.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
