import { openSync, writeSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

const [port = '0', path = ''] = process.argv.slice(2);
const file = openSync(path, 'a');

const server = createServer((socket) => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    const all = Buffer.concat([rest, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    if (end > 0) writeSync(file, all.subarray(0, end));
    rest = all.subarray(end);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`${(server.address() as AddressInfo).port}`));
process.stdin.resume().on('end', () => process.exit(0));
