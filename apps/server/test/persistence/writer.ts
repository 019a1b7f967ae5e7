/** Child process of kill.test.ts. It saves changes to several directories as fast as possible, and reports started and acknowledged changes. */
import { writeSync } from 'node:fs';
import { silentLogger, type Json } from '@sluice/base';
import { FileStore } from '../../src/persistence/file-store.ts';

const routes = Array.from({ length: 200 }, (_, n) => ({ n, text: 'x'.repeat(60) }));

async function write(folder: string, index: number): Promise<never> {
  // Small limits make snapshots, journal writes and compactions frequent.
  const store = new FileStore({ folder, log: silentLogger, largeJournal: 500 + index * 700, idle: 2 });
  for (let value = 1; ; value++) {
    const document: Json = {
      value,
      apps: { http: { servers: { s: { routes: index % 2 === 0 ? routes : routes.slice(0, value % 50) } } } },
    };
    writeSync(1, `b${index} ${value}\n`);
    void store.save(document).then(() => writeSync(1, `d${index} ${value}\n`));
    if (value % 3 === 0) await store.save(document);
    if (value % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

await Promise.all(process.argv.slice(2).map(write));
