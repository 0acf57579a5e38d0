import type { ServedResource } from '../representation/served-resource.ts';
import { accessDenied } from '../request/authorizer.ts';
import type { ApiRequest } from '../request/pipeline.ts';

/** An update or apply of a missing object creates it, which needs the permission to create. */
export async function requireMayCreate(
  request: ApiRequest,
  { authorize }: ServedResource,
): Promise<void> {
  const { user, cancellation } = request;
  const access = { user, cancellation, info: { ...request.info, verb: 'create' } };
  const decision = await authorize(access);
  if (!decision.allowed) throw accessDenied(access, decision.reason);
}
