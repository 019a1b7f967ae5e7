import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { canReusePort, duplicateDescriptor, ListenSockets } from '@sluice/base';

describe('ListenSockets', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function listen(): Promise<Server> {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }
  const accepts = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });

  it('ListenSockets returns the descriptors of open sockets', async () => {
    const sockets = new ListenSockets();
    const [one, two] = [await listen(), await listen()];
    expect(sockets.descriptors).to.deep.equal([]);
    sockets.opened(one, 'tcp/127.0.0.1:1');
    sockets.opened(two, 'tcp/127.0.0.1:1');
    const [first, second] = sockets.descriptors;
    expect([first?.[0], second?.[0]]).to.deep.equal(['tcp/127.0.0.1:1', 'tcp/127.0.0.1:1']);
    expect(first?.[1]).to.be.greaterThan(2);
    expect(second?.[1]).to.be.greaterThan(2).and.not.equal(first?.[1]);
    sockets.closed(one);
    expect(sockets.descriptors).to.deep.equal([second]);
    // A server that does not listen has no file descriptor.
    sockets.opened(createServer(), 'tcp/127.0.0.1:2');
    expect(sockets.descriptors).to.deep.equal([second]);
  });

  it('ListenSockets.take returns all inherited sockets of an address on the first call, and none on later calls', () => {
    // Numbers that are not open file descriptors. The test only passes them through.
    const sockets = new ListenSockets([
      ['a', 1001],
      ['b', 1002],
      ['a', 1003],
    ]);
    expect(sockets.take('a')).to.deep.equal([1001, 1003]);
    expect(sockets.take('a')).to.deep.equal([]);
    expect(sockets.take('c')).to.deep.equal([]);
    expect(sockets.take('b')).to.deep.equal([1002]);
  });

  it('ListenSockets.discard closes descriptors that the configuration does not use', async function () {
    const left = await listen();
    const { port } = left.address() as AddressInfo;
    const before = new ListenSockets();
    before.opened(left, 'left');
    const [[, descriptor] = ['', -1]] = before.descriptors;
    // Simulates a previous process that has exited after the handover. Only the second descriptor remains open.
    const second = duplicateDescriptor(descriptor);
    if (second === null) return this.skip();
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    const sockets = new ListenSockets([['left', second]]);
    expect(await accepts(port)).to.equal(true);
    sockets.discard();
    expect(sockets.take('left')).to.deep.equal([]);
    for (let i = 0; i < 500 && (await accepts(port)); i++) await new Promise(setImmediate);
    expect(await accepts(port)).to.equal(false);
  });

  it('ListenSockets.handedOver is true after the sockets have been handed over to another process', () => {
    const sockets = new ListenSockets();
    expect(sockets.handedOver).to.equal(false);
    sockets.handOver();
    expect(sockets.handedOver).to.equal(true);
  });

  it('canReusePort detects whether the system supports port sharing', async () => {
    const able = await canReusePort();
    if (process.platform === 'linux') expect(able).to.equal(true);
    if (process.platform === 'win32') expect(able).to.equal(false);
  });
});
