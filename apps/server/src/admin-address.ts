const defaultAddress = 'localhost:2019';

/** Returns the address from `SERVER_ADMIN`, or the default. */
export function defaultAdminAddress(): string {
  const fromEnvironment = process.env.SERVER_ADMIN ?? '';
  return fromEnvironment === '' ? defaultAddress : fromEnvironment;
}
