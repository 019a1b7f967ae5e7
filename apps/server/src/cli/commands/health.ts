/** `sluice health`: checks whether a server's admin endpoint responds, for example as a container health check. */
import { adminAddress, callAdmin } from '../admin-client.ts';

export interface HealthOptions {
  readonly address?: string;
}

/** Returns exit code 0 if the server is healthy, even if the server requires a token that the command does not have. */
export async function health({ address }: HealthOptions): Promise<number> {
  await callAdmin({
    address: adminAddress(address, null),
    method: 'GET',
    path: '/config/admin/listen',
    isError: (status) => status >= 500,
  });
  process.stdout.write('the server is healthy\n');
  return 0;
}
