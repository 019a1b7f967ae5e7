/** The module `caddy.storage.postgres`. Its options and table layout are those of the Caddy module with the same name (by yroc92). */
import { storages, storageTimesToken } from '@sluice/contracts';
import { choice, defineModule, options, string, weakString } from '@sluice/registry';

const config = options({
  host: string(
    'Host name of the PostgreSQL server, or the directory that contains its Unix socket. Default: `localhost`.',
  ),
  port: weakString('Port of the PostgreSQL server. Default: 5432.'),
  user: string('PostgreSQL user name. Default: `postgres`.'),
  password: string('Password of the PostgreSQL user. Default: none.'),
  dbname: string('Name of the database. Default: the user name.'),
  sslmode: choice(
    'TLS mode: `require` accepts any certificate, `verify-full` requires a trusted certificate. Default: `disable`.',
    ['disable', 'require', 'verify-full'],
  ),
});

/** The PostgreSQL client is loaded, and connects, on first use. */
export const postgresModule = defineModule(storages, {
  name: 'postgres',
  help: 'Stores data in PostgreSQL, with fenced locks: a writer that lost its lock is rejected.',
  config,
  async provision({ host, port, user, password, dbname, sslmode }, context) {
    const { PostgresStorage } = await import('./postgres-storage.ts');
    const place = host || 'localhost';
    const username = user || 'postgres';
    const secure = sslmode === 'require' || sslmode === 'verify-full';
    const storage = new PostgresStorage(
      {
        endpoints: [place.startsWith('/') ? place : `${place}:${port ?? 5432}`],
        database: dbname || username,
        username,
        password: password ?? '',
        tls: secure ? { ca: null, certificate: null, key: null, insecure: sslmode === 'require' } : null,
      },
      context.find(storageTimesToken),
    );
    context.onDispose(() => storage.close());
    return storage;
  },
});
