import type { ApiDefinition, ResourceDefinition } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import {
  APIEXTENSIONS_GROUP,
  customResourceDefinitionKind,
} from '../custom-resources/definition/definition-kind.ts';
import { builtInKinds, type KindDependencies } from '../kinds/index.ts';
import { upstreamKeyPrefix } from '../kinds/shared/upstream-keys.ts';
import type { EscalationSources } from '../rbac/escalation.ts';
import type { RbacIndex } from '../rbac/rbac-index.ts';
import { storedRole } from '../rbac/stored-role.ts';

/** The dependencies of the kinds that a control plane serves. */
interface ApiParts extends Omit<KindDependencies, 'escalation'> {
  readonly index: RbacIndex;
}

/** The group before `apiextensions.k8s.io` in the order of priority. */
const GROUP_BEFORE_DEFINITIONS = 'storage.k8s.io';

/** The APIs that a control plane serves, with the groups in the order of their priority. */
export function coreApis(parts: ApiParts): readonly ApiDefinition[] {
  const { index, client } = parts;
  const escalation: EscalationSources = {
    authorize: parts.authorize,
    rulesFor: (user, namespace) => index.rulesFor(user, namespace),
    roleOf: (ref, namespace) => storedRole(client(), ref, namespace),
  };
  return [...builtInKinds({ ...parts, escalation })].flatMap(([group, resources]) => [
    builtInApi(group, resources),
    ...(group === GROUP_BEFORE_DEFINITIONS ? [definitionApi(parts)] : []),
  ]);
}

/** Upstream serves definitions with a server of its own, whose errors name no special keys. */
function definitionApi(parts: ApiParts): ApiDefinition {
  return defineApi({
    group: APIEXTENSIONS_GROUP,
    builtIn: true,
    resources: [customResourceDefinitionKind(parts)],
  });
}

function builtInApi(group: string, resources: readonly ResourceDefinition[]): ApiDefinition {
  const errorKeyPrefix = (resource: string) => upstreamKeyPrefix({ group, resource });
  return defineApi({ group, builtIn: true, resources, errorKeyPrefix, reportsErrorsOnce: true });
}
