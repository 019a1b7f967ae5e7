/** Valid and invalid PROXY protocol version 2 headers. */

export interface Version2Parts {
  readonly version?: number;
  readonly command?: number;
  /** Byte with the address family and transport. 0x11 is TCP over IPv4. */
  readonly family?: number;
  readonly source?: Buffer;
  readonly destination?: Buffer;
  /** Bytes that follow the addresses. */
  readonly more?: Buffer;
  /** Bytes that replace everything after the fixed part of the header. */
  readonly body?: Buffer;
}

const ports = Buffer.from([0x04, 0x57, 0x01, 0xbb]);

/** Returns a PROXY protocol header. Default: from 10.1.2.3:1111 to 10.9.9.9:443. */
export function version2(parts: Version2Parts): Buffer {
  const { version = 2, command = 1, family = 0x11, more = Buffer.alloc(0) } = parts;
  const { source = Buffer.from([10, 1, 2, 3]), destination = Buffer.from([10, 9, 9, 9]) } = parts;
  const body = parts.body ?? Buffer.concat([source, destination, ports, more]);
  const fixed = Buffer.from([version * 16 + command, family, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), fixed, body]);
}
