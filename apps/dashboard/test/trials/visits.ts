/** Sends requests to many hosts so that the page has data to display. */
import { Agent, request } from 'node:http';

/** Starts sending requests. Returns a function that stops sending. The hosts and rates change every second. */
export function visit(port: number, { hosts, rate }: { readonly hosts: number; readonly rate: number }): () => void {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let turn = 0;
  const timer = setInterval(() => {
    for (let left = rate / 10; left > 0; left--) {
      const host = `site-${(turn * turn + turn++) % hosts}.example.com`;
      const sent = request({ host: '127.0.0.1', port, agent, path: '/', headers: { host } }, (got) => got.resume());
      sent.on('error', () => undefined).end();
    }
  }, 100);
  return () => {
    clearInterval(timer);
    agent.destroy();
  };
}
