/** Measures the memory of idle HTTP/3 connections. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '../configs.ts';
import { nativeServers, startNative } from '../servers.ts';
import { secureHost } from '../tls/config.ts';
import { http3Client, overHttp3 } from './ways.ts';

/** Number of connections opened before the first measurement, to exclude code and buffers from the result. */
const warmUp = 100;
/** Time for garbage collections and for handshakes to complete, in milliseconds. */
const settling = 8000;

/** Returns the resident memory per connection in KiB, keyed by server. Each connection has served one request. */
export async function measureIdleHttp3(connections: number): Promise<Map<string, number>> {
  const result = new Map<string, number>();
  for (const { name, command } of nativeServers()) {
    const server = await startNative(name, command, overHttp3.config(plain));
    try {
      await overHttp3.ready(server.port);
      const closeFirst = await openIdle(server.port, warmUp);
      await sleep(settling);
      const before = server.memory();
      const closeRest = await openIdle(server.port, connections);
      await sleep(settling);
      result.set(name, ((server.memory() - before) * 1024) / connections);
      await Promise.all([closeFirst(), closeRest()]);
    } finally {
      await server.stop();
    }
  }
  return result;
}

/** Opens idle connections, which stay open until the returned function is called. */
async function openIdle(port: number, connections: number): Promise<() => Promise<void>> {
  const args = ['-idle', '-url', `https://${secureHost}:${port}/`, '-connections', String(connections)];
  const client = spawn(await http3Client(), args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(client.stdout, 'data')) as [Buffer];
  const { failed } = JSON.parse(line.toString()) as { failed: number };
  if (failed > connections / 100) throw new Error(`${failed} of ${connections} HTTP/3 connections failed`);
  return async () => {
    client.stdin.end();
    await once(client, 'exit');
  };
}
