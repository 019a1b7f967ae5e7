import { expect } from 'chai';
import { config, says, TestServer } from '../support/server.ts';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';

const clients = 8;
const rounds = 6;

describe('sluice run --resume after kill -9', () => {
  it(`--resume restores every acknowledged change of ${clients} clients after kill -9, ${rounds} times @long`, async function () {
    this.timeout(60_000);
    const sandbox = new Sandbox();
    const [admin, http] = [await freePort(), await freePort()];
    const routes = Array.from({ length: 100 }, () => says('0'));
    const file = await sandbox.write('config.json', config(admin, http, routes));
    let args = ['--config', file];
    const [sent, responded] = [Array.from({ length: clients }, () => 0), Array.from({ length: clients }, () => 0)];
    for (let round = 0; round < rounds; round++) {
      const server = await TestServer.start(sandbox, args, admin, http);
      args = ['--resume'];
      const bodyOf = (client: number): string => `/config/apps/http/servers/s/routes/${client}/handle/0/body`;
      for (let client = 0; client < clients; client++) {
        const value = Number(JSON.parse((await server.admin(bodyOf(client))).text));
        expect(value, `round ${round}, client ${client}`).to.be.within(responded[client]!, sent[client]!);
        sent[client] = responded[client] = value;
      }
      const work = async (client: number): Promise<void> => {
        for (;;) {
          const value = ++sent[client]!;
          const { status } = await server.admin(bodyOf(client), { method: 'PATCH', body: String(value) });
          expect(status).to.equal(200);
          responded[client] = value;
        }
      };
      const ended = sent.map((_, client) => work(client).catch((error: unknown) => error));
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 250));
      await server.stop('SIGKILL');
      for (const error of await Promise.all(ended)) expect(error).to.have.property('code').that.matches(/^E/);
    }
    expect(Math.min(...responded)).to.be.greaterThan(rounds);
    await sandbox.remove();
  });
});
