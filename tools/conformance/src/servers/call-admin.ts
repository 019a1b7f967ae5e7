/** Calls of admin endpoints. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** One call. */
export interface AdminCall {
  readonly method: string;
  readonly path: string;
  readonly body: string | Buffer;
  /** Content-Type of the body; JSON, unless said otherwise. */
  readonly type?: string;
  /** What the response may be. */
  readonly accept?: string;
}

/** What the response was. */
export interface AdminResponse {
  readonly status: number;
  readonly body: Buffer;
  readonly fields: Readonly<Record<string, string | string[] | undefined>>;
}

/** Calls the admin endpoint on a port, on a connection of its own. */
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
 * As {@link callAdmin}, for calls one after the other: the reference closes its admin endpoint and opens it again with each
 * configuration, and a call that came in between was not read.
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
