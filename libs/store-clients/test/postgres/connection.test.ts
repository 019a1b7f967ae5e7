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
});
