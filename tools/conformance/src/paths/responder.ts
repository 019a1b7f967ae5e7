/** A FastCGI responder that returns its environment, so that the environments of two servers can be compared. */
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** FastCGI record types (https://fastcgi-archives.github.io/FastCGI_Specification.html §3.3, §3.4). */
const paramsType = 4;
const stdinType = 5;
const stdoutType = 6;
const headerSize = 8;
const endRequest = Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/** A received request. */
export interface FastcgiRequest {
  /** FastCGI parameters. Strings have one character per byte. */
  readonly params: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Starts a FastCGI responder on a loopback port. `respond` returns the script output. */
export async function listenFastcgi(
  respond: (request: FastcgiRequest) => string,
): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const request = readRequest(bytes);
      if (request === null) return;
      bytes = Buffer.alloc(0);
      socket.end(Buffer.concat([outputRecords(Buffer.from(respond(request), 'latin1')), endRequest]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Parses a FastCGI request. Returns `null` if the request is incomplete. */
function readRequest(bytes: Buffer): FastcgiRequest | null {
  const params: Buffer[] = [];
  const body: Buffer[] = [];
  for (let at = 0; at + headerSize <= bytes.length;) {
    const type = bytes[at + 1];
    const length = bytes.readUInt16BE(at + 4);
    const end = at + headerSize + length + (bytes[at + 6] ?? 0);
    if (end > bytes.length) return null;
    const content = bytes.subarray(at + headerSize, at + headerSize + length);
    if (type === paramsType) params.push(content);
    if (type === stdinType && length === 0)
      return { params: readParams(Buffer.concat(params)), body: Buffer.concat(body) };
    if (type === stdinType) body.push(content);
    at = end;
  }
  return null;
}

function readParams(bytes: Buffer): Map<string, string> {
  const params = new Map<string, string>();
  let at = 0;
  const length = (): number => {
    const first = bytes[at] ?? 0;
    const long = first >= 0x80;
    const value = long ? bytes.readUInt32BE(at) - 0x8000_0000 : first;
    at += long ? 4 : 1;
    return value;
  };
  const text = (size: number): string => bytes.toString('latin1', at, (at += size));
  while (at < bytes.length) {
    const sizes = [length(), length()] as const;
    const name = text(sizes[0]);
    params.set(name, text(sizes[1]));
  }
  return params;
}

function outputRecords(output: Buffer): Buffer {
  const header = Buffer.from([1, stdoutType, 0, 1, 0, 0, 0, 0]);
  header.writeUInt16BE(output.length, 4);
  return Buffer.concat([header, output]);
}
