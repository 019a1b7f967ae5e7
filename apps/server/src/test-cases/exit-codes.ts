/** Exit codes of `sluice test`. */

/** A case failed, or the coverage is too low. */
export const failed = 1;

/** The cases or a configuration cannot be read, so nothing was tested. */
export const unreadable = 2;
