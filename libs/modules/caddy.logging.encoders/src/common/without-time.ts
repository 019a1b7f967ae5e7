/** What a host of encoders tells those for people: leave the time out. */
import { token, type Token } from '@sluice/registry';

/** Provided, as true, where each line gets a time from another program, such as the journal. */
export const withoutTime: Token<boolean> = token<boolean>('log-lines-without-time');
