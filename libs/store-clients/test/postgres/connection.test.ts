import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, hasPostgres, PostgresServer } from '@sluice/testing';
import type { PostgresAddress } from '../../src/postgres/client.ts';
import { PostgresConnection, type PostgresNeeds } from '../../src/postgres/connection.ts';
import { faults } from '../faults.ts';

const title = 'connection to a PostgreSQL';

describe(hasPostgres ? title : `${title} (skipped: this machine has no postgres)`, function () {
  this.timeout(180_000);
  let server: PostgresServer;
  const connections: PostgresConnection[] = [];

  before(async function () {
    if (!hasPostgres) this.skip();
    server = await PostgresServer.start();
    server.control('CREATE SEQUENCE calls');
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) await connection.close();
  });
  after(() => server?.stop());

  const place = (): string => `127.0.0.1:${server.port}`;
  function connect(address: Partial<PostgresAddress> = {}, needs: Partial<PostgresNeeds> = {}): PostgresConnection {
    const defaults = { endpoints: [place()], username: 'postgres', password: '', database: 'postgres', tls: null };
    const nothing: PostgresNeeds = { strict: true, prepare: async () => undefined };
    const connection = new PostgresConnection({ ...defaults, ...address }, faults, { ...nothing, ...needs });
    connections.push(connection);
    return connection;
  }
  const failure = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (value) => `it is ${JSON.stringify(value)}`,
      (error: unknown) => (error as Error).message,
    );
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await sleep(5);
  };

  it('PostgresConnection retries a call once after a lost connection, and then rejects', async () => {
    const before = Number(server.control("SELECT nextval('calls')"));
    const lost = "SELECT nextval('calls'), pg_terminate_backend(pg_backend_pid())";
    const connection = connect();
    expect(await failure(connection.decide(lost, []))).to.equal('unknown');
    expect(server.control("SELECT nextval('calls')")).to.equal(String(before + 3));
    expect(await failure(connection.run(lost, []))).to.match(/^refused: postgres: /);
  });

  it('PostgresConnection returns rows by column name', async () => {
    const connection = connect();
    expect(connection.durability).to.equal(null);
    expect(await connection.run('SELECT $1::text AS a, 2 AS b, NULL AS c', ['x'])).to.deep.equal([
      { a: 'x', b: 2, c: null },
    ]);
    expect(await connection.decide('SELECT 1 WHERE false', [])).to.deep.equal([]);
    expect(connection.durability).to.deep.equal({ primary: true, durable: true, synchronous: false, waits: true });
  });

  it('PostgresConnection rejects with the error of the server, without reporting an unknown result', async () => {
    const connection = connect();
    for (const call of [connection.run('SELECT wrong', []), connection.decide('SELECT wrong', [])])
      expect(await failure(call)).to.equal('refused: postgres: column "wrong" does not exist');
    const elsewhere = "DO $$ BEGIN RAISE EXCEPTION 'not here' USING ERRCODE = '25006'; END $$";
    expect(await failure(connection.decide(elsewhere, []))).to.equal('refused: postgres: not here');
  });

  it('PostgresConnection runs the setup once, and again after a failure', async () => {
    let prepared = 0;
    const connection = connect(
      {},
      {
        prepare: async (query) => {
          const [row] = await query('SELECT $1::int AS n', [++prepared]);
          if (row?.['n'] === 1) throw new Error('not yet');
        },
      },
    );
    expect(await failure(connection.run('SELECT 1', []))).to.equal('refused: postgres: not yet');
    await Promise.all([1, 2, 3].map(() => connection.run('SELECT 1', [])));
    expect(prepared).to.equal(2);
  });

  it('PostgresConnection uses the first available server, and stays with it', async () => {
    const connection = connect({ endpoints: [`127.0.0.1:${await freePort()}`, place()] });
    expect(await connection.decide('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
    const none = connect({ endpoints: [`127.0.0.1:${await freePort()}`] });
    expect(await failure(none.decide('SELECT 1', []))).to.match(/^refused: postgres: .*ECONNREFUSED/);
  });

  it('PostgresConnection rejects a server that may lose acknowledged writes unless this is allowed, and waits for disk writes', async () => {
    const careless = await PostgresServer.start(['fsync=off', 'synchronous_commit=off']);
    try {
      const endpoints = [`127.0.0.1:${careless.port}`];
      expect(await failure(connect({ endpoints }).run('SELECT 1', []))).to.contain('set fsync = on');
      const lax = connect({ endpoints }, { strict: false });
      expect(await lax.run('SHOW synchronous_commit', [])).to.deep.equal([{ synchronous_commit: 'on' }]);
      expect(lax.durability).to.include({ durable: false, waits: false });
      await Promise.all(connections.splice(0).map((connection) => connection.close()));
    } finally {
      await careless.stop();
    }
  });

  it('PostgresConnection delivers notifications even after the listening connection was lost', async () => {
    const connection = connect();
    await connection.run('SELECT 1', []);
    let hints = 0;
    const end = connection.subscribe('news', () => hints++);
    // The first hint indicates that the connection is listening.
    await until(() => hints === 1);
    server.control('NOTIFY news');
    await until(() => hints === 2);
    server.control('NOTIFY other');
    server.control("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    // Of the four hints, one reports that notifications may have been missed, and one reports the new listener.
    await until(() => hints === 4);
    server.control('NOTIFY news');
    await until(() => hints === 5);
    end();
    server.control('NOTIFY news');
    await connection.run('SELECT 1', []);
    expect(hints).to.equal(5);
  });

  it('PostgresConnection delivers no notifications and rejects calls after it has been closed', async () => {
    const connection = connect();
    let hints = 0;
    connection.subscribe('news', () => hints++);
    await until(() => hints === 1);
    await connection.close();
    expect(await failure(connection.run('SELECT 1', []))).to.contain('the store is closed');
    expect(hints).to.equal(1);
  });

  it('PostgresConnection limits connections while the server waits for a standby, and recovers @long', async () => {
    const connection = connect();
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
    for (let i = 0; i < 500 && typeof (await insert()) === 'string'; i++) await sleep(10);
    expect(await insert()).to.be.an('array');
  });
});
