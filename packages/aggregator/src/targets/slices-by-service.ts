import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type Informer, objectKey } from '@tributary/client';

/** Upstream's label that says whose endpoints a slice has. */
const SERVICE_NAME = 'kubernetes.io/service-name';

/** The slices of every service, found without looking at the others. */
export interface SlicesByService {
  /** Whether all that were there in the beginning are known. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  /** By `namespace/name` of the service. */
  of(service: string): readonly EndpointSlice[];
  close(): void;
}

/** Follows an informer that others may share. Told of each change is the service's `namespace/name`. */
export function slicesByService(
  informer: Informer<EndpointSlice>,
  changed: (service: string) => void,
): SlicesByService {
  const services = new Map<string, Map<string, EndpointSlice>>();
  const put = (slice: EndpointSlice) => {
    const service = serviceOf(slice);
    if (service === undefined) return;
    const slices = services.get(service) ?? new Map<string, EndpointSlice>();
    services.set(service, slices.set(objectKey(slice), slice));
    changed(service);
  };
  const remove = (slice: EndpointSlice) => {
    const service = serviceOf(slice);
    const slices = service === undefined ? undefined : services.get(service);
    if (service === undefined || !slices?.delete(objectKey(slice))) return;
    if (slices.size === 0) services.delete(service);
    changed(service);
  };
  const subscription = informer.addHandler({
    onAdd: put,
    onUpdate(old, slice) {
      // A slice may be given to another service.
      if (serviceOf(old) !== serviceOf(slice)) remove(old);
      put(slice);
    },
    onDelete: remove,
  });
  return {
    get synced() {
      return subscription.synced;
    },
    whenSynced: () => subscription.whenSynced(),
    of: (service) => [...(services.get(service)?.values() ?? [])],
    close: () => subscription.close(),
  };
}

function serviceOf({ metadata }: EndpointSlice): string | undefined {
  const name = metadata.labels?.[SERVICE_NAME];
  return name ? `${metadata.namespace ?? ''}/${name}` : undefined;
}
