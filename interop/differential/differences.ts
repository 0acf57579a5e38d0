/**
 * Every deliberate difference from the original, each with what a user gains. At most 40 in the life of the project;
 * an entry that no longer matches a difference fails the run.
 */
import type { DeliberateDifference } from './verdict.ts';

export const DIFFERENCES_MAX = 40;

export const differences: readonly DeliberateDifference[] = [
  {
    id: 'list items say what they are',
    rows: /./,
    path: /^body\.items\[\d+\]\.(kind|apiVersion)$/,
    accepts: ({ ours, reference }) => reference === undefined && typeof ours === 'string',
    benefit:
      'An item of a list has its kind and apiVersion, as it has when it is read alone, so that it can be saved or sent on as it is; and a list leaves as the stored bytes, which makes it faster.',
  },
  {
    id: 'an unknown path is a Status',
    rows: [
      'discovery: an unknown group',
      'discovery: no core group',
      'health: an unknown check',
      'routing: an unknown path',
      'routing: a list in an unknown group',
      'routing: the core group',
      'routing: doubled slashes',
    ],
    path: /^(layout|body\..+)$/,
    benefit:
      'A path that nobody serves is answered with a Status that says so, which every client can show; the original sends a list of its own paths as if it were an answer.',
  },
  {
    id: 'a failure is a Status, never plain text',
    rows: ['routing: the watch prefix with nothing after it'],
    path: /^(headers\.(content-type|x-content-type-options|cache-control)|text|body|layout)$/,
    benefit: 'Clients and people read every failure in the same way, with its code and reason.',
  },
  {
    id: 'an unknown OpenAPI document is not found',
    rows: ['openapi: v3 of an unknown group'],
    path: /^(status|headers\.content-type|body|layout)$/,
    benefit:
      'A client that asks for a group that does not exist is told so; the original answers 200 with nothing.',
  },
  {
    id: 'definitions are named by their group',
    rows: /^openapi: v3 of /,
    path: /^body\.schemas\["(io\.k8s\.sample-apiserver\.pkg\.apis\.wardle|com\.example\.wardle)\./,
    benefit:
      'The name of a definition tells the group, version and kind that people know, as those of custom resources do, and not a place in the sources.',
  },
  {
    id: 'only what is served is offered',
    rows: /^openapi: v3 of /,
    path: /\.results\.\d+\[\d+\]$/,
    benefit:
      'OpenAPI lists JSON and YAML, which every kind has, as custom resources do; no client tries protobuf in vain.',
  },
  {
    id: 'the newer version is stored',
    rows: /^discovery: /,
    path: /(\.storageVersionHash|^text\[\d+\])$/,
    accepts: ({ ours, reference }) =>
      String(ours).includes('q8yDPI7eCYE=') && String(reference).includes('UHqNx5H3K7A='),
    benefit:
      'Flunders are stored as v1beta1, which holds everything that v1alpha1 can say and more; the original stores the older version and loses what it cannot say.',
  },
  {
    id: 'kinds have short names',
    rows: /^discovery: /,
    path: /\.shortNames$|^text\[\d+\]$/, // in YAML two more lines a resource move all that follow
    accepts: ({ path, ours, reference }) =>
      path.startsWith('text') || (reference === undefined && /^(fl|fi)$/.test(String(ours))),
    benefit:
      'kubectl get fl and fi save typing, as short names of the built-in kinds do; the Go sample has none.',
  },
  {
    id: 'Tables show what a kind is about',
    rows: /^(watch: as Table|negotiation: (Table |what kubectl accepts))/,
    path: /(^|\.)(columnDefinitions|cells)\[[12]\](\.|$)|^text\[/,
    benefit:
      'kubectl get shows what a Flunder refers to and how old it is, as it does for custom resources; the Go sample shows a time of creation and nothing else.',
  },
  {
    id: 'list items say what they are, in YAML too',
    rows: ['negotiation: YAML list'],
    path: /^text(\[|$)/,
    benefit:
      'An item that is copied out of a list in YAML can be created elsewhere as it is, because it has its kind and apiVersion.',
  },
  {
    id: 'a wrong type names its field',
    rows: [
      'create: a number where a text belongs',
      'create: a text where an object belongs',
      'patch: merge to a wrong type',
    ],
    path: /^(status|body\.(code|message|reason|details)(\..+|\[.+)?)$/,
    benefit:
      'A value of the wrong type is 422 with the path of the field, like every other thing that the schema refuses, and as for custom resources; the original speaks of Go types in a text.',
  },
  {
    id: 'the document of a refused patch',
    rows: ['patch: merge with an unknown field, refused'],
    path: /^body\.(message|details\.causes\[0\]\.message)$/,
    accepts: ({ ours, reference }) =>
      [ours, reference].every((text) => String(text).includes('Invalid value: "{')),
    benefit:
      'The patched document is quoted with its fields in the order in which they are served everywhere else.',
  },
];
