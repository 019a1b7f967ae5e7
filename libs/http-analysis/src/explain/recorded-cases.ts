/** Generates `sluice test` cases from recorded requests. */
import { isSluiceError, type Json, type JsonObject } from '@sluice/base';
import { wholeQuestionOf, type RecordedRequest } from './recorded.ts';
import { readRequest } from './read-request.ts';
import { testCaseOf } from './test-case.ts';
import type { ExplainRequest, Explanation } from './types.ts';

/** Generated test cases, and the requests that could not be converted. */
export interface RecordedCases {
  readonly cases: readonly JsonObject[];
  readonly left_out: readonly { readonly url: string; readonly why: string }[];
}

/** Generates test cases. Skips a request if its status would differ from the recorded status. */
export async function recordedCases(
  recorded: readonly RecordedRequest[],
  explain: (request: ExplainRequest) => Promise<Explanation>,
): Promise<RecordedCases> {
  const cases: JsonObject[] = [];
  const leftOut: { url: string; why: string }[] = [];
  for (const each of recorded) {
    const question = wholeQuestionOf(each);
    const leave = (why: string): void => void leftOut.push({ url: question.url, why });
    try {
      // Validate the request, because the trace may have been sent by a client.
      const made = await testCaseOf(readRequest(JSON.parse(JSON.stringify(question)) as Json), explain);
      const { status } = made['expect'] as JsonObject;
      const then = each.response?.status;
      if (status === then || then === undefined) cases.push(made);
      else leave(`it would now get ${String(status ?? 'no response')}, but got ${then} when it was recorded`);
    } catch (error) {
      if (!isSluiceError(error)) throw error;
      leave(error.message);
    }
  }
  return { cases, left_out: leftOut };
}
