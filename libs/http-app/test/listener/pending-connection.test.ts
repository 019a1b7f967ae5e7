import { expect } from 'chai';
import { hasConnections, listen, RawClient } from '../engine/harness.ts';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('PendingConnection', () => {
  it('a pending connection has the same timeout as a request head', async () => {
    const { port, listener, close } = await listen(({ response }) => response.end('hello'), { readHeaderTimeout: 30 });
    listener.chain = () => undefined;
    const client = new RawClient(port).send(get);
    expect(await client.all()).to.equal('');
    await hasConnections(0, listener);
    await close();
  });

  it('pending connections are counted, and are closed together with the listener', async () => {
    const { port, listener, close } = await listen(({ response }) => response.end('hello'));
    listener.chain = () => undefined;
    const client = new RawClient(port).send(get);
    await hasConnections(1, listener);
    await close();
    expect(await client.all()).to.equal('');
  });

  it('pending connections are still served when the listener retires', async () => {
    const { port, listener, close } = await listen(({ response }) => response.end('hello'));
    let goOn = (): void => undefined;
    listener.chain = (socket, facts, serve) => {
      goOn = () => serve(socket, facts);
    };
    const client = new RawClient(port).send(get);
    await sleep(20);
    listener.retire();
    goOn();
    expect(await client.all()).to.match(/Connection: close\r\n[^]*hello$/);
    await close();
  });

  it('clients may reset pending connections', async () => {
    const { port, listener, close } = await listen(({ response }) => response.end('hello'));
    listener.chain = () => undefined;
    const client = new RawClient(port).send(get);
    await hasConnections(1, listener);
    client.socket.resetAndDestroy();
    await hasConnections(0, listener);
    await close();
  });

  it('disconnected pending connections receive no response', async () => {
    const { port, listener, server, close } = await listen(({ response }) => response.end('hello'));
    listener.chain = (socket, facts, serve) => {
      socket.destroy();
      serve(socket, facts);
    };
    expect(await new RawClient(port).send(get).all()).to.equal('');
    expect(server.count).to.equal(0);
    await close();
  });
});
