/** Converts JSON documents to Caddyfiles and back with Sluice. */
import { isDeepStrictEqual } from 'node:util';
import { callAdmin } from '../servers/call-admin.ts';
import { adapt } from './adapting.ts';
import type { MadeDocument } from './documents.ts';

export interface RoundTrip {
  readonly name: string;
  /** Conversion result reported by the server: `identical`, `same` or `different`. */
  readonly said: string;
  /** True if adapting the Caddyfile yields exactly the original document. */
  readonly identical: boolean;
  readonly text: string;
}

/** Converts a document with `POST /adapt`, and adapts the resulting Caddyfile. */
export async function playRoundTrip(admin: number, { name, document }: MadeDocument): Promise<RoundTrip> {
  const call = { method: 'POST', path: '/adapt', body: JSON.stringify(document), accept: 'text/caddyfile' };
  const { status, body, fields } = await callAdmin(admin, call);
  const text = body.toString();
  if (status !== 200) throw new Error(`${name}: status ${status}: ${text}`);
  const said = String(fields['conversion']).replace(/;.*/, '');
  const plain = text.replaceAll(/^\s*(?:#.*)?$/gm, '').trim();
  const again = plain === '' ? { document: {} } : await adapt(admin, text);
  return { name, said, identical: 'document' in again && isDeepStrictEqual(again.document, document), text };
}

/** Returns the paths listed in the comments at the beginning of a Caddyfile. */
export function placesIn(text: string): readonly string[] {
  const comment = text.split('\n').slice(1);
  const end = comment.findIndex((line) => !line.startsWith('# '));
  return comment.slice(0, end < 0 ? comment.length : end).map((line) => line.slice(2).replace(/: .*/, ''));
}
