import { expect } from 'chai';
import { Engine } from '../../src/docker/engine.ts';

describe('Engine', () => {
  for (const address of ['unix:///var/run/docker.sock', 'tcp://127.0.0.1:2375', 'tcp://[::1]', 'http://engine'])
    it(`Engine accepts the Docker engine address ${address}`, () => {
      expect(() => new Engine(address)).not.to.throw();
    });

  for (const address of ['unix://relative', '/var/run/docker.sock', 'ssh://host', ''])
    it(`Engine rejects the Docker engine address ${JSON.stringify(address)}`, () => {
      expect(() => new Engine(address)).to.throw('must be unix:///path or tcp://host:port');
    });

  it('Engine reports an unreachable Docker engine with its address', async () => {
    const engine = new Engine('unix:///nonexistent/engine.sock');
    const error = await engine.containers(new AbortController().signal).catch((reason: unknown) => reason as Error);
    expect(error).to.match(/cannot reach the container engine at unix:\/\/\/nonexistent\/engine\.sock: /);
  });
});
