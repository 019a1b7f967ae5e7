/** Priorities that clients ask for (RFC 9218 §4): `u=1, i`, a dictionary of structured fields. */

/** A stream of HTTP/2 or HTTP/3. */
export interface Prioritized {
  /** 0 comes first. */
  urgency: number;
  /** Takes turns with others of its urgency. */
  incremental: boolean;
}

/** Sets the priority of a stream by a field value. What cannot be read is as if it was not there. */
export function setPriority(stream: Prioritized, value: string): void {
  stream.urgency = 3;
  stream.incremental = false;
  for (const member of value.split(',')) {
    const [key, given] = member.split(';')[0]?.trim().split('=') ?? [];
    if (key === 'u' && given !== undefined && given.length === 1 && given >= '0' && given <= '7')
      stream.urgency = Number(given);
    else if (key === 'i') stream.incremental = given === undefined || given === '?1';
  }
}
