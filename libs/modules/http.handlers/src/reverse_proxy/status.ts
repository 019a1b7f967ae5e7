import { HttpError } from '@sluice/http-app';

/** Parses a status. A value outside of 100 to 999 causes an error with status 500. */
export function statusFrom(text: string): number {
  const status = /^\d{3}$/.test(text) ? Number(text) : 0;
  if (status < 100)
    throw new HttpError(500, `status_code ${JSON.stringify(text)} is not a status code from 100 to 999`);
  return status;
}
