/**
 * Performs full handshakes for the given number of seconds and prints the results. Runs in a separate process.
 *   node handshake-load.ts PORT HOST PATH CONNECTIONS SECONDS
 */
import { HandshakeClient, handshakePlan } from './handshake-client.ts';

const [port, host = '', path = '', connections, seconds] = process.argv.slice(2);
const plan = handshakePlan(Number(port), host, path);
const began = performance.now();
const end = began + Number(seconds) * 1000;
let responded = 0;
let failed = 0;
let running = 0;

function next(): void {
  running++;
  const client = new HandshakeClient(plan, (isServed) => {
    running--;
    const now = performance.now();
    if (now < end) {
      if (isServed) responded++;
      else failed++;
      next();
    } else if (running === 0) {
      console.log(JSON.stringify({ responded, failed, seconds: Number(seconds) }));
      process.exit(0);
    }
  });
  client.start();
}

// Exits even if the server does not close its connections.
setTimeout(() => process.exit(1), (Number(seconds) + 5) * 1000).unref();
for (let i = 0; i < Number(connections); i++) next();
