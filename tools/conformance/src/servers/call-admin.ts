/** Sends requests to admin endpoints. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface AdminCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | Buffer;
  /** Content-Type of the request body. Default: JSON. */
  readonly type?: string;
  readonly accept?: string;
}

export interface AdminResponse {
  readonly status: number;
  readonly body: Buffer;
  readonly fields: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends a request to the admin endpoint on a port, using a new connection. */
export function callAdmin(port: number, { method, path, body, type, accept }: AdminCall): Promise<AdminResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': type ?? 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(accept === undefined ? {} : { accept }),
    };
    const call = request({ host: '127.0.0.1', port, agent: false, method, path, headers }, (response) => {
      buffer(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, body: received, fields: response.headers }),
        reject,
      );
    });
    call.on('error', reject).end(body);
  });
}

/**
 * Works like {@link callAdmin} but retries. Caddy reopens its admin endpoint with each configuration. It does not read a request that
 * arrives in between.
 */
export async function callPersistently(port: number, call: AdminCall): Promise<AdminResponse> {
  for (let left = 10; ; left--) {
    try {
      return await callAdmin(port, call);
    } catch (error) {
      if (left === 0) throw error;
      await sleep(10);
    }
  }
}
