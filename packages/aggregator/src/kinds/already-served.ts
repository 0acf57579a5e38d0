import type { APIService } from '@tributary/api/apiregistration-v1';
import { alreadyExists, formatGroupVersion, StatusError } from '@tributary/apimachinery';
import { annotations } from '../api-services/registration.ts';
import { apiServices } from '../api-services/resources.ts';
import type { IsBuiltIn } from './validate-backend.ts';

/** The error for a second APIService of a group version that is already served; undefined when it is not. */
export function alreadyServed(holder: APIService, isBuiltIn: IsBuiltIn): StatusError | undefined {
  const { group = '', version = '' } = holder.spec;
  const who = holderOf(holder, isBuiltIn);
  // An object that is being deleted does not count; the store has its own error for it.
  if (who === undefined || holder.metadata.deletionTimestamp) return undefined;
  const { status } = alreadyExists(
    { group: apiServices.group, resource: apiServices.plural },
    holder.metadata.name ?? '',
  );
  const served = `${formatGroupVersion({ group, version })} is served by ${who}`;
  return new StatusError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${status.message ?? ''}: ${served}`,
    ...(status.details && { details: status.details }),
  });
}

function holderOf({ metadata, spec }: APIService, isBuiltIn: IsBuiltIn): string | undefined {
  const { group = '', version = '', service } = spec;
  if (service === undefined) {
    return isBuiltIn(group, version) ? 'this server itself' : undefined;
  }
  const url = metadata.annotations?.[annotations.url];
  const place = url === undefined ? '' : ` at ${url}`;
  return `service ${service.namespace}/${service.name}${place}`;
}
