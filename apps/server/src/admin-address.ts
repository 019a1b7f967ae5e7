/** Where the admin endpoint is unless a configuration or an option says otherwise. */

/** Where the endpoint is unless something says otherwise. */
export const usualAddress = 'localhost:2019';

/** The address of `SERVER_ADMIN`, else the usual one. */
export function defaultAdminAddress(): string {
  const fromEnvironment = process.env.SERVER_ADMIN ?? '';
  return fromEnvironment === '' ? usualAddress : fromEnvironment;
}
