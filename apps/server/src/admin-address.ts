const defaultAddress = 'localhost:2019';

/** Returns the admin endpoint's address from `SERVER_ADMIN`, or the default address. */
export function defaultAdminAddress(): string {
  const fromEnvironment = process.env.SERVER_ADMIN ?? '';
  return fromEnvironment === '' ? defaultAddress : fromEnvironment;
}
