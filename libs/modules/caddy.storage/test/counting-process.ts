/**
 * Increments a counter in a storage under a lock. A test runs two of these processes with the same directory. Arguments: directory, number
 * of steps.
 */
import { FileStorage } from '@sluice/caddy.storage';

const storage = new FileStorage(process.argv[2] as string);
for (let i = 0; i < Number(process.argv[3]); i++) {
  const lock = await storage.lock('counter');
  const count = Number(String((await storage.load('counter')) ?? '0'));
  await new Promise((resolve) => setTimeout(resolve, 2));
  await storage.store('counter', String(count + 1));
  await lock.release();
}
