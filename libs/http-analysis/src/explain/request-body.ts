/** Body of an explained request. */
import { emptyBody, type RequestBody, UnconnectedBody } from '@sluice/http-app';
import type { Facts } from './facts.ts';

/** Maximum size of the stand-in for an unknown body, in bytes. */
const maxStandInLength = 64 * 1024;

export function bodyOf({ body, bodyLength, standIns }: Facts): RequestBody {
  if (body === null) return emptyBody;
  const content = body ?? Buffer.alloc(Math.min(Math.abs(bodyLength), maxStandInLength), standIns.body);
  return content.length === 0 && bodyLength >= 0 ? emptyBody : new UnconnectedBody(content, bodyLength < 0);
}
