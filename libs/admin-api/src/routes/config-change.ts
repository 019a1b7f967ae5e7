/** Handles changes of configuration values: POST, PUT, PATCH, and DELETE requests for `/config/…` and `/id/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, ParsedJson } from '@sluice/base';
import type { Edit } from '@sluice/reconciler';
import { checkDestination, checkPreconditionScope, scopeOf } from './scope-checks.ts';
import type { ConfigScope } from '../access/config-scope.ts';
import { changeOptionsOf, methodOf, withDigest } from '../call.ts';
import type { Destination } from '../config/destination.ts';
import { checkPrecondition, parseIfMatch } from '../config/entity-tag.ts';
import { editDocument, requestedEdit } from '../config/requested-edit.ts';
import { forbidden, RequestError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { checkIntendedBody, parseJsonBody } from '../http/json-body.ts';
import { respondToChange, applyEdit, refusal } from './changes.ts';
import type { ApiOptions } from '../api-options.ts';
import { readerOf } from './rehearsal-body.ts';
import { withRepeatedKeys } from './repeated-keys.ts';

/** Parses the change, applies it in queue order, and sends the result. */
export async function changeConfig(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  api: ApiOptions,
): Promise<void> {
  const requested = requestedEdit(methodOf(request), request.headers['content-type']);
  const precondition = parseIfMatch(request.headers['if-match']);
  const scope = scopeOf(request, api.reconciler);
  if (precondition !== null) checkPreconditionScope(scope, precondition);
  const asked = changeOptionsOf(request);
  const body = requested.method === 'DELETE' ? null : await readBody(request, api.bodyLimit);
  const options = withDigest(asked, body);
  const parse = (): ParsedJson | null => (body === null ? null : parseJsonBody(body));
  try {
    // If the request has no precondition, parse its body immediately, so that an invalid body is rejected early.
    let parsed = precondition === null ? parse() : null;
    const edit: Edit = (document) => {
      checkDestination(scope, destination); // Objects may have moved.
      if (precondition !== null) checkPrecondition(precondition, document);
      parsed ??= parse();
      const after = editDocument(requested, document, destination, parsed);
      if (body?.length === 0) checkIntendedBody(body, after);
      checkDifference(scope, document, after);
      return after;
    };
    // The report can be limited to the client's scope only if it lists all unchanged modules.
    const result = await applyEdit(api, edit, scope === null ? options : { ...options, maxKept: Infinity });
    const hasReport = result.report !== null && body !== null && requested.kind !== 'json-patch';
    const answer = hasReport ? withRepeatedKeys(result, body, destination.locate()) : result;
    await respondToChange(response, answer, [], readerOf(request, options, scope));
  } catch (error) {
    const rejection = refusal(error, 500, 'loading new config', api.log);
    throw requested.kind !== 'value' || asked.dryRun === true ? withPreciseStatus(rejection) : rejection;
  }
}

function checkDifference(scope: ConfigScope | null, before: Json, after: Json): void {
  const refused = scope?.refusal(before, after) ?? null;
  if (refused !== null) throw forbidden(refused);
}

/** Returns the error with its most precise status, for features that Caddy lacks. */
function withPreciseStatus(error: RequestError): RequestError {
  if (error.preciseStatus === error.status) return error;
  return new RequestError(error.code, error.message, { status: error.preciseStatus, cause: error });
}
