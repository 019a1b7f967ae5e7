/** Formats admin API calls as `curl` commands. The commands read the token from the environment and contain no secrets. */
import type { Operation } from '../base/difference.ts';
import { isList, own, type Json } from '../base/json.ts';
import { withoutSecrets, withoutSecretsIn } from '../base/secrets.ts';
import { targetOf, type Call } from './calls.ts';

/** Formats an admin API call as a command for a POSIX shell. */
export function curlOf(
  call: Call,
  { origin, hasToken }: { readonly origin: string; readonly hasToken: boolean },
): string {
  const words = ['curl', ...(call.method === 'GET' ? [] : ['-X', call.method]), quoted(origin + targetOf(call))];
  if (hasToken) words.push('-H', '"Authorization: Bearer $SERVER_ADMIN_TOKEN"');
  const headers = call.json === undefined ? call.headers : { 'Content-Type': 'application/json', ...call.headers };
  for (const [name, value] of Object.entries(headers ?? {})) words.push('-H', quoted(`${name}: ${value}`));
  const body = bodyOf(call);
  if (body !== undefined) words.push('--data-binary', quoted(body));
  return words.join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the request body with secrets masked in JSON. */
function bodyOf({ json, text, headers }: Call): string | undefined {
  if (json !== undefined) {
    const sealed = withoutSecrets(json as Json);
    const patch = own(json as Json, 'patch');
    return JSON.stringify(isList(patch) ? { ...(sealed as object), patch: sealedPatch(patch) } : sealed);
  }
  if (text === undefined || headers?.['Content-Type'] !== 'application/json-patch+json') return text;
  return JSON.stringify(sealedPatch(JSON.parse(text)));
}

/** Masks the secrets in a patch. The paths in the patch determine which values are secrets. */
function sealedPatch(patch: unknown): readonly Operation[] {
  return withoutSecretsIn(patch as readonly Operation[]);
}
