/** Reports which bindings a thread supports if the C functions for polled connections are missing. */
import { parentPort } from 'node:worker_threads';

const { prototype } = process.getBuiltinModule('node:ffi').DynamicLibrary as unknown as {
  prototype: { getFunction(name: string, signature: unknown): unknown };
};
const { getFunction } = prototype;
const missing = /^(?:accept4|shutdown|read|epoll_\w+|uv_backend_fd)$/;
prototype.getFunction = function (this: typeof prototype, name, signature) {
  if (missing.test(name)) throw new Error(`no function ${name}`);
  return getFunction.call(this, name, signature);
};
const { fileSender, nativeProblem, supportsPolledSockets, UdpSocket } = await import('@sluice/native');

const supported = {
  native: nativeProblem() === null,
  datagrams: UdpSocket.supported,
  files: fileSender() !== null,
  polled: supportsPolledSockets(),
};
parentPort!.postMessage(supported, []);
