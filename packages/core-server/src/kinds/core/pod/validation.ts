import { isDeepStrictEqual } from 'node:util';
import type { Container, Pod, PodSpec } from '@tributary/api/core-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';

const SPEC = root('spec');
const IMMUTABLE_SPEC =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate({ spec }: Pod, live: Pod): FieldError[] {
  const after = withoutPermittedChanges(spec, live.spec);
  if (isDeepStrictEqual(after, live.spec)) return [];
  return [fieldError.forbidden(SPEC, IMMUTABLE_SPEC)];
}

/** The new spec with its permitted changes undone. */
function withoutPermittedChanges(next: PodSpec, live: PodSpec): PodSpec {
  const added = next.tolerations ?? [];
  const keepsTolerations = (live.tolerations ?? []).every((one) =>
    added.some((other) => isDeepStrictEqual(one, other)),
  );
  const fixed: PodSpec = { ...next, containers: withImages(next.containers, live.containers) };
  if (next.initContainers) {
    fixed.initContainers = withImages(next.initContainers, live.initContainers) ?? [];
  }
  for (const field of ['activeDeadlineSeconds', ...(keepsTolerations ? ['tolerations'] : [])]) {
    const value = live[field as keyof PodSpec];
    if (value === undefined) delete fixed[field as keyof PodSpec];
    else Object.assign(fixed, { [field]: value });
  }
  return fixed;
}

function withImages(
  next: readonly Container[] | null,
  live: readonly Container[] | null | undefined,
): Container[] | null {
  return (
    next?.map((container, index) => {
      const image = live?.[index]?.image;
      return image === undefined ? container : { ...container, image };
    }) ?? null
  );
}

export function validateNodeUnchanged(next: Pod, live: Pod): FieldError[] {
  if (next.spec.nodeName === live.spec.nodeName) return [];
  return [fieldError.forbidden(SPEC.child('nodeName'), 'may not be changed directly')];
}
