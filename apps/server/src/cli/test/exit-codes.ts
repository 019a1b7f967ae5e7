/** What `sluice test` ends with. */

/** Some case has failed, or too little is covered. */
export const failed = 1;

/** The cases, or a configuration, cannot be read: nothing was tested. */
export const unreadable = 2;
