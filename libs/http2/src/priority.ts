/** Client priorities (RFC 9218 §4): `u=1, i`, a structured dictionary. */

export interface Prioritized {
  /** Urgency. 0 is the most urgent. */
  urgency: number;
  /** Shares bandwidth with other streams of the same urgency. */
  incremental: boolean;
}

/** Sets the priority of a stream from a field value, ignoring invalid members. */
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
