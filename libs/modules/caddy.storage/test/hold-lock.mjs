// Acquires a lock, reports the acquisition, and never releases the lock. lock.test.ts kills this process.
import { FileStorage } from '@sluice/caddy.storage';

const times = { heartbeat: 50, stale: 400, poll: 50 };
await new FileStorage(process.argv[2], times).lock('name');
process.stdout.write('held\n');
setInterval(() => undefined, 1000);
