import type { Route } from '@tributary/server/parts';

const none = Buffer.from(
  `${JSON.stringify({
    kind: 'CustomResourceDefinitionList',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { resourceVersion: '0' },
    items: [],
  })}\n`,
);

/**
 * There are no custom resources here, and those who may ask are told so: before kubectl creates an object of a
 * kind that cannot be patched, such as a SubjectAccessReview, it looks whether somebody defined that kind, and
 * gives up when nobody answers. Discovery does not show the list, because nothing can be put on it.
 */
export const customResourcesRoute: Route = ({ info }) => {
  const { isResourceRequest, group, version, resource, verb } = info;
  const isAsked =
    isResourceRequest &&
    verb === 'list' &&
    group === 'apiextensions.k8s.io' &&
    version === 'v1' &&
    resource === 'customresourcedefinitions';
  if (!isAsked) return undefined;
  return { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [none] };
};
