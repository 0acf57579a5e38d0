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
 * What has been derived from an object is found again by what derived it. So each form of a resource is made once, and
 * lives as long as the resource is served: there are eleven ways to ask for objects, and so there are at most as many.
 */
const formsOfResource = new WeakMap<ServedResource, Map<string, ServedForm>>();

/** The form in which a client wants objects; 400 when it asks for a Table in a way that nobody knows. */
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

/** Those in which somebody has asked for it. */
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
    reportProblem: (error) => served.answers?.reportProblem(error),
    emptyObject: (head) => plain.bookmark(head, false),
  });
}
