/**
 * Sends admin API requests, each on a separate connection, because Caddy closes keep-alive connections on each change. The Node.js HTTP
 * client would take up to a third of the time of a change. Requests are therefore written by hand, and only the response head is parsed.
 */
import { connect } from 'node:net';

const headEnd = '\r\n\r\n';
const contentLength = /\r\ncontent-length: *(\d+)/i;

/** Sends `body` as JSON. Resolves to the status once the whole response has arrived. */
export function adminCall(port: number, method: string, path: string, body: unknown): Promise<number> {
  const content = body === undefined ? '' : JSON.stringify(body);
  const fields = [`Host: 127.0.0.1:${port}`, 'Content-Type: application/json', 'Connection: close'];
  const head = [`${method} ${path} HTTP/1.1`, ...fields, `Content-Length: ${Buffer.byteLength(content)}`].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let text = '';
    const finish = (): void => {
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? Number.NaN);
      if (Number.isNaN(status)) reject(new Error(`${method} ${path} got no response`));
      else resolve(status);
      socket.destroy();
    };
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      if (isComplete(text)) finish();
    });
    socket.on('error', reject).on('close', finish);
    socket.write(`${head}${headEnd}${content}`);
  });
}

/** Reports whether a response is complete. A response that has no Content-Length ends when the connection closes. */
function isComplete(text: string): boolean {
  const end = text.indexOf(headEnd);
  if (end < 0) return false;
  const length = contentLength.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length - end - headEnd.length >= Number(length);
}
