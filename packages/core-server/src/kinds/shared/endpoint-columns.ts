import type { Endpoints } from '@tributary/api/core-v1';

/** As many as a cell shows of a list. */
export const shownMax = 3;

/** The first few, and how many more there are. */
export function shortened(all: readonly string[]): string {
  const shown = all.slice(0, shownMax).join(',');
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : shown;
}

export function endpointsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>';
  return shortened(
    subsets.flatMap(({ addresses = [], ports = [] }) => {
      // Services without an address of their own need no ports.
      if (ports.length === 0) return addresses.map(({ ip }) => ip);
      return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
    }),
  );
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
