/** Titles of workloads in the docs. Saved runs contain the original names, which are used to compare runs. */
const titles: Readonly<Record<string, string>> = {
  'file of 1 KiB': '1 KiB file',
  'file of 100 KiB': '100 KiB file',
  'file of 10 MiB': '10 MiB file',
  'file of 64 MiB': '64 MiB file',
  'gzip of a page of 20 KiB': 'gzip, 20 KiB page',
  'gzip of a page of 20 KiB, another for each request': 'gzip, a different 20 KiB page for each request',
  'TLS 1.3 on kept connections': 'TLS 1.3, persistent connections',
  'proxied body of 1 MiB': 'proxied 1 MiB body',
};

export function titleOf(workload: string): string {
  return titles[workload] ?? workload;
}
