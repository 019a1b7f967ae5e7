/** `sluice health`: checks whether a server's admin endpoint responds, for monitoring, for example in a container. */
import { adminAddress, callAdmin } from '../admin-client.ts';

export interface HealthOptions {
  readonly address?: string;
}

/** Returns 0 if the server is healthy, even if it requires a token that this client does not have. */
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
