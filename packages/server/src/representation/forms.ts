import type { Transform } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import type { Form } from './form.ts';
import { type IncludeObject, readIncludeObject } from './include-object.ts';
import type { Output } from './output.ts';
import { partialForm } from './partial-form.ts';
import { plainForm } from './plain-form.ts';
import type { ServedResource } from './served-resource.ts';
import { tableForm } from './table-form.ts';
import { type ServedForm, withFraming } from './watch-frames.ts';

/**
 * Derived bytes are cached by the form that derived them. So each form of a resource is created once and lives as long
 * as the resource is served; there are at most eleven.
 */
const formsOfResource = new WeakMap<ServedResource, Map<string, ServedForm>>();

/** The representation that the client accepts; 400 for a Table with unknown parameters. */
export function formOf(
  served: ServedResource,
  { transform }: Output,
  { query }: ApiRequest,
): ServedForm {
  const includeObject = transform?.kind === 'Table' ? readIncludeObject(query) : undefined;
  const name = nameOf(transform, includeObject);
  const form = formsOfResource.get(served)?.get(name);
  if (form !== undefined) return form;
  const made = withFraming(makeForm(served, transform, includeObject));
  formsOfResource.set(served, new Map(formsOfResource.get(served)).set(name, made));
  return made;
}

/** The representations requested so far. */
export function formsMadeOf(served: ServedResource): readonly ServedForm[] {
  return [...(formsOfResource.get(served)?.values() ?? [])];
}

function nameOf(transform: Transform | undefined, includeObject = ''): string {
  return transform === undefined
    ? ''
    : `${transform.kind} ${transform.apiVersion} ${includeObject}`;
}

function makeForm(
  served: ServedResource,
  transform: Transform | undefined,
  includeObject: IncludeObject = 'Metadata',
): Form {
  const plain = plainForm(served);
  if (transform === undefined) return plain;
  if (transform.kind !== 'Table') return partialForm(served, transform);
  return tableForm(served, {
    apiVersion: transform.apiVersion,
    includeObject,
    reportProblem: (error) => served.responses?.reportProblem(error),
    emptyObject: (head) => plain.bookmark(head, false),
  });
}
