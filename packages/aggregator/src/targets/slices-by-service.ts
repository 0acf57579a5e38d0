import type { EndpointSlice } from '@tributary/api/discovery-v1';
import { type Informer, objectKey } from '@tributary/client';

/** Upstream's label with the name of a slice's Service. */
const SERVICE_NAME = 'kubernetes.io/service-name';

/** The slices of every Service, indexed. */
export interface SlicesByService {
  /** Whether the first list is complete. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  /** By `namespace/name` of the service. */
  of(service: string): readonly EndpointSlice[];
  close(): void;
}

/** Watches a shared informer. Each change is reported with the `namespace/name` of the Service. */
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
      // The label of a slice may change to another Service.
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
