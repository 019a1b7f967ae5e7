/** Client for the admin API. */
import { targetOf, type Call } from './calls.ts';
import { noteNoResponse, noteResponse } from './reachable.ts';
import { signIn, token } from './session.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The response body as JSON, or `null` if it is not JSON. */
  readonly json: unknown;
}

/** Error response of the admin API, with the server's message. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly reply: Reply | null;

  constructor(message: string, status: number, reply: Reply | null = null) {
    super(message);
    this.status = status;
    this.code = reply?.headers.get('Sluice-Error') ?? '';
    this.reply = reply;
  }
}

/** Calls the admin API. Throws {@link Refused} if the response has an error status. */
export async function ask(call: Call, abort?: AbortSignal): Promise<Reply> {
  const response = await open(call, abort);
  const text = await response.text();
  const reply = { status: response.status, headers: response.headers, text, json: parsed(text) };
  // Accept status 304, which means that the client already has the current value.
  if (response.ok || response.status === 304) return reply;
  const said = (reply.json as { readonly error?: unknown } | null)?.error;
  throw new Refused(
    typeof said === 'string' ? said : text.slice(0, 500) || response.statusText,
    response.status,
    reply,
  );
}

/** Calls the admin API and returns the response without reading its body. Used for streams. */
export async function open(call: Call, abort?: AbortSignal): Promise<Response> {
  const { method, json, text, headers } = call;
  const body = json === undefined ? text : JSON.stringify(json);
  let response;
  try {
    response = await fetch(targetOf(call), {
      method,
      headers: {
        'Sluice-Error': 'code',
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
        ...(token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }),
      },
      ...(body === undefined ? {} : { body }),
      ...(abort === undefined ? {} : { signal: abort }),
      cache: 'no-store',
      credentials: 'omit',
    });
  } catch (error) {
    if (abort?.aborted === true) throw error;
    noteNoResponse();
    throw new Refused('the server is unreachable', 0);
  }
  noteResponse();
  if (response.status === 401)
    signIn.value = token.value === '' ? (signIn.value ?? 'This server requires a token.') : 'Invalid or expired token.';
  return response;
}

/** Reports whether a call received no response. A banner already reports this state, so views need no message of their own. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Refused && error.status === 0;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
