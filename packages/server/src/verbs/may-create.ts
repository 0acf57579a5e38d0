import { forbidden } from '@tributary/apimachinery';
import type { ApiRequest } from '../pipeline.ts';
import type { ServedResource } from '../served-resource.ts';

/** Who updates or applies what is not there creates it, which is a permission of its own. */
export async function requireMayCreate(
  request: ApiRequest,
  { resource, authorize }: ServedResource,
): Promise<void> {
  const decision = await authorize({ ...request, info: { ...request.info, verb: 'create' } });
  if (!decision.allowed) throw forbidden(resource, request.info.name, decision.reason ?? '');
}
