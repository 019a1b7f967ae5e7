/** Parses client priorities (RFC 9218 §4), a structured dictionary such as `u=1, i`. */

export interface Prioritized {
  /** Urgency from 0, the most urgent, to 7. */
  urgency: number;
  /** True if the stream shares bandwidth with other streams of the same urgency. */
  incremental: boolean;
}

/** Sets the priority of a stream from a field value. Invalid members are ignored. */
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
