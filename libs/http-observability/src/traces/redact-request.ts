/** Removes secrets from recordings. The thread that served the request removes them before sending the recording. */
import { isSecretOfRequest, redacted, redactedText } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';

/** Maximum length of a recorded header field value. `maxFields` is the maximum number of recorded fields per message. */
export const maxValueLength = 1024;
export const maxFields = 100;

/** Returns header fields by lowercase name, with secrets removed. */
export function redactedHeaders({ names, values }: HeaderMap): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [i, name] of names.slice(0, maxFields).entries()) {
    const value = values[i] ?? '';
    const shown = isSecretOfRequest(name) ? redacted : redactedText(value.slice(0, maxValueLength).toWellFormed());
    if (Object.hasOwn(fields, name)) fields[name]?.push(shown);
    else Object.defineProperty(fields, name, { value: [shown], enumerable: true, writable: true, configurable: true });
  }
  return fields;
}
