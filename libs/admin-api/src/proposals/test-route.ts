/** Implements `POST /explain/tests`. Runs the client's test cases with a proposed configuration or the active configuration. */
import type { ServerResponse } from 'node:http';
import { isArray, isObject } from '@sluice/base';
import type { AdminRequest } from '@sluice/registry';
import type { ApiOptions } from '../api-options.ts';
import { changeOptionsOf, confinedAs, isConfinedCall } from '../call.ts';
import { requestError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { sendDocument } from '../http/send.ts';
import { applyEdit, refusal } from '../routes/changes.ts';
import { checkReadsAll } from './check-reads.ts';
import { checkMembers, readEdit } from './read-change.ts';

/** Tests the change. Performs a dry run first, so errors in the change are reported before test failures. */
export async function runTests(request: AdminRequest, response: ServerResponse, api: ApiOptions): Promise<void> {
  checkReadsAll(request, api, 'test changes');
  const { value: body } = parseJsonBody(await readBody(request, api.bodyLimit));
  if (!isObject(body)) throw requestError('expected {"tests": {"cases": […]}}, optionally with "patch" or "config"');
  checkMembers(body, ['tests', 'patch', 'config']);
  const { tests: cases } = body;
  if (cases === undefined || !isObject(cases) || !isArray(cases['cases'] ?? null))
    throw requestError('tests: must be the content of a test file, such as {"cases": […]}');
  const edit = readEdit(body) ?? ((document) => document);
  const confined = isConfinedCall(request);
  const options = {
    ...changeOptionsOf(request),
    dryRun: true,
    rollout: null,
    comparesBehavior: false,
    shadow: null,
    tests: () => ({ required: [], cases, confined }),
  };
  try {
    const { report } = await confinedAs(request, () => applyEdit(api, edit, options));
    const result = report?.reported.get('tests')?.value;
    if (result === undefined) throw requestError('this server cannot run tests', 501);
    await sendDocument(response, result);
  } catch (error) {
    throw refusal(error, 422, 'tests', api.log);
  }
}
