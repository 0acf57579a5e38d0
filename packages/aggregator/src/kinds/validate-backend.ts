import type { APIService, APIServiceSpec } from '@tributary/api/apiregistration-v1';
import {
  type FieldError,
  fieldError,
  formatGroupVersion,
  type ObjectMeta,
  root,
} from '@tributary/apimachinery';
import { decodeAnnotations } from '../api-services/decode-annotations.ts';
import { annotations } from '../api-services/registration.ts';

/** Whether the group version is built in; false for custom resources. */
export type IsBuiltIn = (group: string, version: string) => boolean;

const ANNOTATIONS = root('metadata', 'annotations');

/** Validation in addition to upstream's. `live` is set for an update: stored values may stay. */
export function validateBackend(
  apiService: APIService,
  isBuiltIn: IsBuiltIn,
  live?: APIService,
): FieldError[] {
  return [
    ...validateAnnotations(apiService, live),
    ...validateHolder(apiService.spec, isBuiltIn, live?.spec),
  ];
}

function validateAnnotations({ metadata, spec }: APIService, live?: APIService): FieldError[] {
  const isNew = (annotation: string) =>
    live === undefined ||
    annotationOf(metadata, annotation) !== annotationOf(live.metadata, annotation);
  const errors = decodeAnnotations(metadata.annotations)
    .problems.filter(({ annotation }) => isNew(annotation))
    .map(({ annotation, value, detail }) =>
      fieldError.invalid(ANNOTATIONS.key(annotation), value, detail),
    );
  const hasUrl = annotationOf(metadata, annotations.url) !== undefined;
  const becameLocal = live === undefined || live.spec.service !== undefined;
  if (spec.service === undefined && hasUrl && (becameLocal || isNew(annotations.url))) {
    const detail = 'may only be set with spec.service, which says that another server is meant';
    errors.push(fieldError.forbidden(ANNOTATIONS.key(annotations.url), detail));
  }
  return errors;
}

/** An APIService must not take over a built-in group version: requests of this process would no longer reach it. */
function validateHolder(
  { group = '', version = '', service }: APIServiceSpec,
  isBuiltIn: IsBuiltIn,
  live?: APIServiceSpec,
): FieldError[] {
  const taken = service !== undefined && live?.service === undefined && isBuiltIn(group, version);
  if (!taken) return [];
  return [
    fieldError.forbidden(
      root('spec', 'service'),
      `${formatGroupVersion({ group, version })} is served by this server itself`,
    ),
  ];
}

function annotationOf({ annotations: given }: ObjectMeta, annotation: string): string | undefined {
  return given && Object.hasOwn(given, annotation) ? given[annotation] : undefined;
}
