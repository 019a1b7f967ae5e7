/** The environment variable that turns the bindings off. */
const variable = 'SLUICE_NATIVE';

/** Returns why the environment turns the bindings off; `null` if it doesn't. */
export function nativeSwitch(): string | null {
  return process.env[variable] === 'off'
    ? `the environment variable ${variable} turns the bindings to OpenSSL off`
    : null;
}
