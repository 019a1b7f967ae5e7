/** A call as a command that does the same. The token is never in it: it is taken from the environment. */
import { targetOf, type Call } from './calls.ts';

/** Writes it for a POSIX shell. */
export function curlOf(
  call: Call,
  { origin, hasToken }: { readonly origin: string; readonly hasToken: boolean },
): string {
  const words = ['curl', ...(call.method === 'GET' ? [] : ['-X', call.method]), quoted(origin + targetOf(call))];
  if (hasToken) words.push('-H', '"Authorization: Bearer $SERVER_ADMIN_TOKEN"');
  const headers = call.json === undefined ? call.headers : { 'Content-Type': 'application/json', ...call.headers };
  for (const [name, value] of Object.entries(headers ?? {})) words.push('-H', quoted(`${name}: ${value}`));
  const body = call.json === undefined ? call.text : JSON.stringify(call.json);
  if (body !== undefined) words.push('--data-binary', quoted(body));
  return words.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
