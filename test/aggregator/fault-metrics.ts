/** What a gateway counts of its requests, and what became of that between two moments. */
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

/** How many requests one server has and has not answered completely. */
export function inFlightAt(figures: Figures, apiService: string): number {
  return figures.get(`tributary_backend_requests_in_flight{apiservice="${apiService}"}`) ?? 0;
}

const DURATIONS = 'apiserver_request_duration_seconds';

export interface SlowRequests {
  /** How many took longer, by series. */
  readonly slow: readonly string[];
  /** How many there were at all. */
  readonly count: number;
}

/**
 * By the gateway's own account: every request but those for one group, whoever sent it, that took longer than a bound
 * of the histogram. Watches are there to take long.
 */
export function slowRequests(
  before: Figures,
  after: Figures,
  { seconds, except }: { readonly seconds: string; readonly except: string | undefined },
): SlowRequests {
  const slow: string[] = [];
  let count = 0;
  for (const [series, all] of after) {
    if (!series.startsWith(`${DURATIONS}_count{`)) continue;
    if (series.includes(`group="${except}"`) || /verb="(WATCH|CONNECT)"/.test(series)) continue;
    const within = bucketOf(series, seconds);
    const requests = all - (before.get(series) ?? 0);
    const quick = (after.get(within) ?? 0) - (before.get(within) ?? 0);
    count += requests;
    if (requests > quick) slow.push(`${requests - quick} of ${requests}: ${series}`);
  }
  return { slow, count };
}

function bucketOf(series: string, seconds: string): string {
  const labels = series.slice(`${DURATIONS}_count{`.length, -1);
  return `${DURATIONS}_bucket{${labels},le="${seconds}"}`;
}
