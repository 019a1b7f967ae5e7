import { expect } from 'chai';
import { hasPostgres, PostgresServer } from '@sluice/testing';
import { PostgresConnection } from '../../src/postgres/connection.ts';
import { faults } from '../faults.ts';

const title = 'connection to a PostgreSQL';

describe(hasPostgres ? title : `${title} (skipped: this machine has no postgres)`, function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let connection: PostgresConnection;

  before(async function () {
    if (!hasPostgres) this.skip();
    server = await PostgresServer.start();
    const address = {
      endpoints: [`127.0.0.1:${server.port}`],
      username: 'postgres',
      password: '',
      database: 'postgres',
      tls: null,
    };
    connection = new PostgresConnection(address, faults, { strict: true, prepare: async () => undefined });
  });

  after(async () => {
    await connection?.close();
    await server?.stop();
  });

  it('makes a call once more where its connection was lost, and then says so', async () => {
    await connection.run('CREATE SEQUENCE calls', []);
    const lost = "SELECT nextval('calls'), pg_terminate_backend(pg_backend_pid())";
    expect(await connection.decide(lost, []).catch(String)).to.contain('unknown');
    expect(server.control("SELECT nextval('calls')")).to.equal('3');
  });

  it('takes no more connections while the server waits for a standby, and goes on when it has one', async () => {
    await connection.run('CREATE TABLE waiting (n int)', []);
    server.control(`ALTER SYSTEM SET synchronous_standby_names = 'somewhere'`);
    server.control('SELECT pg_reload_conf()');
    const insert = (): Promise<unknown> => connection.decide('INSERT INTO waiting VALUES (1)', []).catch(String);
    for (let round = 0; round < 3; round++) await Promise.all([insert(), insert(), insert()]);
    const waiting = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    expect(Number(server.control(waiting))).to.be.within(1, 6);
    expect(await insert()).to.contain('has not responded');
    server.control(`ALTER SYSTEM RESET synchronous_standby_names`);
    server.control('SELECT pg_reload_conf()');
    for (let i = 0; i < 500 && typeof (await insert()) === 'string'; i++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await insert()).to.be.an('array');
  });
});
