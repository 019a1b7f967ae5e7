/** Adapts Caddyfiles through the admin API of running servers. */
import { isDeepStrictEqual } from 'node:util';
import { callPersistently } from '../servers/call-admin.ts';

/** The adapted document, or the error if adapting failed. */
export type Adapted = { readonly document: unknown } | { readonly error: string };

/** Adapts a Caddyfile through the admin API on the given port. */
export async function adapt(port: number, text: string): Promise<Adapted> {
  const call = { method: 'POST', path: '/adapt', body: text, type: 'text/caddyfile' };
  const { status, body } = await callPersistently(port, call);
  const response = JSON.parse(body.toString()) as { readonly result?: unknown; readonly error?: string };
  return status === 200 ? { document: response.result } : { error: response.error ?? `status ${status}` };
}

/** Reports whether two servers returned the same document, or both rejected the file. */
export function agree(a: Adapted, b: Adapted): boolean {
  if ('document' in a && 'document' in b) return isDeepStrictEqual(a.document, b.document);
  return 'error' in a && 'error' in b;
}
