/** Seals and opens packets for the architecture given in `workerData`. */
import { parentPort, workerData } from 'node:worker_threads';

Object.defineProperty(process, 'arch', { value: workerData });
const { CallList } = await import('../src/call-list.ts');
const { nativeCiphers } = await import('../src/openssl/ciphers.ts');

const results = (['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305'] as const).map((aead) => {
  const key = Buffer.alloc(aead === 'aes-128-gcm' ? 16 : 32, 1);
  const iv = Buffer.alloc(12, 2);
  const [seal, open] = (['seal', 'open'] as const).map((direction) => nativeCiphers.aead({ aead }, key, iv, direction));
  const header = nativeCiphers.headerMask({ aead }, key);
  const bytes = Buffer.alloc(116, 3);
  const packet = { bytes, start: 0, payload: 20, end: 100 };
  seal!.seal(7, packet);
  const sealed = bytes.toString('hex');
  const mask = Buffer.from(header.mask(bytes, 30)).toString('hex', 0, 5);
  const isRejected = !open!.open(8, { ...packet, bytes: Buffer.from(bytes) });
  const isOpened = open!.open(7, packet) && bytes.subarray(0, 100).every((byte) => byte === 3);
  for (const each of [seal!, open!, header]) each.free();
  return { sealed, mask, isRejected, isOpened };
});
if (!results.every(({ isRejected, isOpened }) => isRejected && isOpened)) throw new Error('a packet was not opened');
parentPort!.postMessage(JSON.stringify({ lists: CallList.create(1) !== null, results }), []);
