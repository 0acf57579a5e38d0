import type { ApiRequest } from '../request/pipeline.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** The current size of a resource. */
interface ResourceLoad {
  readonly objects: number;
  readonly bytes: number;
  readonly watchers: number;
}

/** Undefined for resources of other servers, which account for their own cost. */
export type LoadOf = (info: RequestInfo) => ResourceLoad | undefined;

/** As upstream: the bytes per seat, and the maximum memory of a list from the cache. */
const BYTES_PER_SEAT = 100_000;
const LISTED_BYTES_MAX = 1_000_000;
const WATCHERS_PER_SEAT = 10;
const SEATS_MAX = 10;

/**
 * The number of seats of a request: as upstream, by the bytes of a list and by the number of watchers of a write;
 * unlike upstream, also by the size of its body.
 */
export function estimateSeats(request: ApiRequest, loadOf: LoadOf): number {
  const { info } = request;
  if (!info.isResourceRequest) return 1;
  switch (info.verb) {
    case 'list':
    case 'deletecollection':
      return listSeats(request, loadOf);
    case 'watch':
      return sendsInitialEvents(request) ? listSeats(request, loadOf) : 1;
    case 'create':
    case 'update':
    case 'patch':
    case 'delete':
      return Math.max(bodySeats(request), watchSeats(loadOf(info)?.watchers ?? 0));
    default:
      return 1;
  }
}

function listSeats({ info, query }: ApiRequest, loadOf: LoadOf): number {
  const load = info.name === '' ? loadOf(info) : undefined;
  if (load === undefined || load.objects === 0) return 1;
  const limit = Number(query.get('limit') ?? '') || load.objects;
  const bytes = Math.min(limit, load.objects) * (load.bytes / load.objects);
  return clamped(Math.min(bytes, LISTED_BYTES_MAX) / BYTES_PER_SEAT);
}

/** A watch holds seats only while its initial events are sent. */
function sendsInitialEvents({ query }: ApiRequest): boolean {
  if (query.get('sendInitialEvents') === 'true') return true;
  const resourceVersion = query.get('resourceVersion') ?? '';
  return resourceVersion === '' || resourceVersion === '0';
}

function watchSeats(watchers: number): number {
  return watchers < WATCHERS_PER_SEAT ? 1 : clamped(watchers / WATCHERS_PER_SEAT);
}

function bodySeats({ headers }: ApiRequest): number {
  return clamped(Number(headers.get('content-length') ?? 0) / BYTES_PER_SEAT);
}

function clamped(seats: number): number {
  return Math.min(SEATS_MAX, Math.max(1, Math.ceil(seats) || 1));
}
