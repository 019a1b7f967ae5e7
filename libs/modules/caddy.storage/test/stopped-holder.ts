// Acquires a lock, reports the acquisition, and writes under the lock on request. In between, server-storages.test.ts suspends this
// process.
import { once } from 'node:events';
import { openFrom } from './open-storage.ts';

const [kind = '', port, span] = process.argv.slice(2);
const storage = await openFrom(kind, Number(port), Number(span));
const lock = await storage.lock('pair');
process.stdout.write('held\n');
await once(process.stdin, 'data');
const said = await lock
  .write?.(
    new Map([
      ['p/crt', 'first'],
      ['p/key', 'first'],
    ]),
  )
  .then(
    () => 'written',
    (error: unknown) => (error as { code: string }).code,
  );
process.stdout.write(`${said}\n`);
await storage.close();
