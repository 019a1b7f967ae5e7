/** Requests to admin endpoints. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface AdminCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | Buffer;
  /** Content-Type of the body. JSON by default. */
  readonly type?: string;
  readonly accept?: string;
}

export interface AdminResponse {
  readonly status: number;
  readonly body: Buffer;
  readonly fields: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends a request to the admin endpoint on a port, on its own connection. */
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
 * Like {@link callAdmin}, with retries. Caddy closes and reopens its admin endpoint with each configuration, and a request that arrives in
 * between is not read.
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
