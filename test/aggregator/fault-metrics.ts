/** The request metrics of a gateway, and their change between two moments. */
import type { Program } from './gateway-program.ts';

/** Values by series, as in `name{label="value"}`. */
export type Figures = ReadonlyMap<string, number>;

export async function figuresOf(gateway: Pick<Program, 'ask'>): Promise<Figures> {
  const { body } = await gateway.ask('/metrics');
  return parseFigures(body);
}

export function parseFigures(text: string): Figures {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** The number of requests in flight at one server. */
export function inFlightAt(figures: Figures, apiService: string): number {
  return figures.get(`tributary_backend_requests_in_flight{apiservice="${apiService}"}`) ?? 0;
}

/** Requests that this process answers itself. Those that it passes on are counted where they are answered. */
export const OWN_DURATIONS = 'apiserver_request_duration_seconds';
/** Until another server began to answer. */
export const PASSED_ON_DURATIONS = 'tributary_proxy_duration_seconds';

export interface SlowRequests {
  /** How many took longer, by series. */
  readonly slow: ReadonlyMap<string, string>;
  /** How many there were at all. */
  readonly count: number;
}

/** By the gateway's histogram: all requests longer than a bucket, without watches. */
export function slowRequests(
  [before, after]: readonly [Figures, Figures],
  { histogram, seconds }: { readonly histogram: string; readonly seconds: string },
): SlowRequests {
  const prefix = `${histogram}_count{`;
  const slow = new Map<string, string>();
  let count = 0;
  for (const [series, all] of after) {
    if (!series.startsWith(prefix) || /verb="(WATCH|CONNECT)"/.test(series)) continue;
    const within = `${histogram}_bucket{${series.slice(prefix.length, -1)},le="${seconds}"}`;
    const requests = all - (before.get(series) ?? 0);
    const quick = (after.get(within) ?? 0) - (before.get(within) ?? 0);
    count += requests;
    if (requests > quick) slow.set(series, `${requests - quick} of ${requests}`);
  }
  return { slow, count };
}
