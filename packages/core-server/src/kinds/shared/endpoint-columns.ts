import type { Endpoints } from '@tributary/api/core-v1';

/** The number of items shown in a cell. */
export const listItemsMax = 3;

/** The first items, and the number of further ones. */
export function shortenedList(all: readonly string[]): string {
  const shown = all.slice(0, listItemsMax).join(',');
  return all.length > listItemsMax ? `${shown} + ${all.length - listItemsMax} more...` : shown;
}

export function endpointsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>';
  return shortenedList(
    subsets.flatMap(({ addresses = [], ports = [] }) => {
      // Headless services need no ports.
      if (ports.length === 0) return addresses.map(({ ip }) => ip);
      return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
    }),
  );
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
