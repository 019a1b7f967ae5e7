/** Environment variable that disables the native bindings if it is set to `off`. */
const variable = 'SLUICE_NATIVE';

/** Returns the reason why the environment disables the native bindings. Returns `null` if the environment allows them. */
export function nativeSwitch(): string | null {
  return process.env[variable] === 'off' ? `the environment variable ${variable} disables the OpenSSL bindings` : null;
}
